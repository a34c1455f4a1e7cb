import { randomUUID } from 'node:crypto';
import type { ConsultationNote } from '#contract/diary/share.ts';
import { addEntry, beginDiary } from '#server/testing/diaries.ts';
import type { Group, Stage } from './accessible.ts';
import { clinician, protectAdmin } from './accessible-clinicians.ts';
import { expect } from './journey.ts';

/** Today on this machine, as the forms write it. */
export const today = () => new Date().toLocaleDateString('en-CA');

/** The admin is a clinician, and the patient has an entry. @returns the entry's id */
export async function prepareShares({ users }: Pick<Stage, 'users'>): Promise<string> {
  const { admin, patient } = users;
  await protectAdmin({ users });
  await (await admin.client.clinicians()).name(admin.uid, { ...clinician, password: admin.password });
  await beginDiary(patient.client);
  return addEntry(patient, {
    day: today(),
    words: { add: ['Cansaço'], remove: [] },
    note: { base: 0, text: 'Dormi pouco.' },
  });
}

/** Saves a note of the patient for today's consultation. */
export async function saveNote({ users }: Pick<Stage, 'users'>, answer: string): Promise<ConsultationNote> {
  const shares = await users.patient.client.diaryShares();
  const questions = ['O que ficou comigo da última consulta', 'O que evitei dizer', 'O que eu gostaria hoje'];
  const content = { questions, answers: [answer, '', ''], clinicianUid: users.admin.uid, day: today() };
  const result = await shares.saveNote(randomUUID(), { ...content, base: 0 });
  if (!('note' in result)) throw new Error('The note was not saved.');
  return result.note;
}

export const shares: Group = {
  name: 'what a patient shows of the diary',
  fill: prepareShares,
  states: [
    {
      name: 'the form of a share with errors',
      ...{ path: '/diario/compartilhar', role: 'patient' },
      async prepare({ page }) {
        await page.getByLabel('Até o dia').fill('2020-01-01');
        await page.getByRole('button', { name: /vai ver$/ }).click();
        await expect(page.getByText('Confira este campo')).toBeVisible();
      },
    },
    {
      name: 'the consent of a share',
      ...{ path: '/diario/compartilhar', role: 'patient' },
      async prepare({ page }) {
        await page.getByLabel('Também minhas notas.').check();
        await page.getByRole('button', { name: /vai ver$/ }).click();
        await expect(page.getByRole('region', { name: `Como ${clinician.name} vai ver` })).toBeFocused();
      },
      isWalked: true,
    },
    {
      name: 'the receipt of a share',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Autorizo' }).click();
        await expect(page.getByRole('region', { name: 'Autorizado.' })).toBeFocused();
        await expect(page.getByRole('button', { name: /^Encerrar/ })).toBeVisible();
        await page.getByText('O que você autorizou').click();
      },
    },
    {
      name: 'the end of a share',
      async prepare({ page }) {
        await page.getByRole('button', { name: /^Encerrar/ }).click();
        await expect(page.getByRole('dialog', { name: 'Encerrar agora?' })).toBeVisible();
      },
    },
    { name: 'a new note', path: '/diario/consulta', role: 'patient', shows: 'Nova nota' },
    {
      name: 'a note with errors',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Guardar' }).click();
        await expect(page.getByText('Confira este campo')).toBeVisible();
      },
    },
    {
      name: 'a shown note',
      async path(stage) {
        const note = await saveNote(stage, 'A pausa no meio da frase.');
        await (await stage.users.patient.client.diaryShares()).showNote(note);
        return '/diario/consulta';
      },
      ...{ role: 'patient', shows: `${clinician.name} pode ler até o fim de` },
    },
    {
      name: 'a share without clinicians',
      async path({ users: { admin } }) {
        await (await admin.client.clinicians()).remove(admin.uid);
        return '/diario/compartilhar';
      },
      ...{ role: 'patient', shows: 'ninguém da clínica lê diários por aqui' },
    },
    {
      name: 'the reminder without a day',
      ...{ path: '/semana/lembrete', role: 'patient', shows: 'O lembrete está desligado.' },
      async prepare({ page }) {
        for (const day of ['segunda', 'terça', 'quarta', 'quinta', 'sexta'])
          await page.getByLabel(day).uncheck();
        await page.getByRole('button', { name: 'Baixar para o calendário' }).click();
        await expect(page.getByText('Escolha pelo menos um dia.')).toBeVisible();
      },
    },
    { name: 'notes without clinicians', path: '/diario/consulta', role: 'patient' },
  ],
};
