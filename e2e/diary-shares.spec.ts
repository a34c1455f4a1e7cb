import type { Page } from '@playwright/test';
import { hasCode } from '#client/client-error.ts';
import { paths } from '#contract/paths.ts';
import { beginDiary } from '#server/testing/diaries.ts';
import { clinician } from './accessible-clinicians.ts';
import { prepareShares, saveNote, today } from './accessible-shares.ts';
import { expect, scriptStarted, signInAnew, siteWithUsers, test } from './journey.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();
let entryId = '';

test.beforeAll(async () => {
  entryId = await prepareShares({ users });
});

async function open(page: Page, path: string) {
  await page.goto(site.url + path);
  await scriptStarted(page);
}

test('a patient sees what a clinician will see, authorizes, sees who has read, and ends it', {
  tag: '@full',
}, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAnew(page, site.url, users.patient);
  const main = page.getByRole('main');
  const reader = await users.admin.client.clinicians();
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();

  await open(page, '/diario/compartilhar');
  await expect(main).toContainText('Ninguém pode ler o seu diário agora.');
  await button(`Ver como ${clinician.name} vai ver`).click();
  await expect(main).toContainText('Cansaço');
  await expect(main).not.toContainText('Dormi pouco.');
  await button('Voltar e mudar').click();
  await page.getByLabel('Também minhas notas.').check();
  await button(`Ver como ${clinician.name} vai ver`).click();
  await expect(main).toContainText('Dormi pouco.');
  await expect(main).toContainText(`Autorizo ${clinician.name}, ${clinician.crm}, a ler, nas consultas,`);

  // The clinician's number changes while the patient reads.
  const { password, uid } = users.admin;
  await reader.name(uid, { ...clinician, crm: 'CRM-SP 654321', password });
  await button('Autorizo').click();
  await expect(page.getByRole('alert')).toContainText('Leia de novo antes de autorizar.');
  await expect(main).toContainText('CRM-SP 654321, a ler');
  await button('Autorizo').click();
  await expect(main).toContainText('Autorizado.');
  await expect(main).toContainText('Ainda não leu.');

  const { entries } = await reader.sharedEntries(users.patient.uid);
  expect(entries.map(({ words, note }) => [words, note])).toEqual([[['Cansaço'], 'Dormi pouco.']]);
  await page.reload();
  await expect(main).toContainText(`${clinician.name} leu as anotações de`);
  await expect(main).toContainText('Leu pela última vez em');

  await button(/^Encerrar/).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Encerrar', exact: true }).click();
  await expect(main).toContainText('Ninguém pode ler o seu diário agora.');
  const refused = await reader.sharedEntries(users.patient.uid).catch((error: unknown) => error);
  expect(hasCode(refused, 'documents/not-found')).toBe(true);

  await open(page, `/diario/compartilhar?anotacao=${entryId}`);
  await button(`Ver como ${clinician.name} vai ver`).click();
  await expect(main).toContainText('a intensidade de uma anotação do meu diário');
});

test('a note for a consultation survives failures, is shown and closed, and is never given to another user', {
  tag: '@full',
}, async ({ page }) => {
  const main = page.getByRole('main');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const evaded = page.getByLabel('O que evitei dizer');
  const shares = await users.patient.client.diaryShares();
  const reader = await users.admin.client.clinicians();
  await signInAnew(page, site.url, users.patient);
  await open(page, '/diario/consulta');

  await page.getByLabel('Dia da consulta').fill(today());
  await evaded.fill('Que tenho faltado ao trabalho.');
  // Without this, a reload for missing code keeps the text on the device (web/app/kept-fields.ts).
  await expect(evaded).toHaveAttribute('autocomplete', 'off');
  const route = `**${paths.documents.consultationNotes}/*`;
  await page.route(route, (one) => one.abort());
  await button('Guardar').click();
  await expect(page.getByRole('alert')).toContainText('Sem conexão.');
  await page.unroute(route);
  await page.context().clearCookies();
  await button('Guardar').click();
  const signIn = page.getByRole('dialog', { name: 'Entre de novo' });
  await signIn.getByLabel('Senha', { exact: true }).fill(users.patient.password);
  await signIn.getByRole('button', { name: 'Entrar e continuar' }).click();
  await expect(main).toContainText('Guardada. Só você lê');
  const [saved] = await shares.listNotes();
  expect(saved && 'answers' in saved && saved.answers[1]).toBe('Que tenho faltado ao trabalho.');
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain('faltado');

  // Another device changes the note meanwhile.
  if (!saved || !('answers' in saved)) throw new Error('The note is missing.');
  const { id, shownAt: _, revision, ...content } = saved;
  await shares.saveNote(id, { ...content, base: revision, answers: ['A pausa.', '', ''] });
  await evaded.fill('Que tenho faltado ao trabalho, e que tenho vergonha.');
  await button('Guardar').click();
  const box = page.getByRole('region', { name: 'A nota mudou em outro aparelho' });
  await expect(box).toContainText('A pausa.');
  await expect(evaded).toHaveValue('Que tenho faltado ao trabalho, e que tenho vergonha.');
  await button('Guardar o que está aqui').click();
  await expect(box).toHaveCount(0);

  await button('Mostrar na consulta').click();
  await button('Mostrar').click();
  await expect(main).toContainText(`${clinician.name} pode ler até o fim de`);
  const [shown] = await reader.sharedNotes(users.patient.uid);
  expect(shown?.answers?.[1]?.answer).toBe('Que tenho faltado ao trabalho, e que tenho vergonha.');
  // Another device changes the note again; closing it here must not hide that.
  const [there] = await shares.listNotes();
  await shares.saveNote(id, { ...content, base: there?.revision ?? 0, answers: ['A outra pausa.', '', ''] });
  await button('Fechar a nota').click();
  await expect(box).toContainText('A outra pausa.');
  await button('Ficar com o que está lá').click();
  await expect(page.getByLabel('O que ficou comigo')).toHaveValue('A outra pausa.');
  await expect(main).toContainText('Guardada. Só você lê');
  const closed = await reader.sharedNotes(users.patient.uid).catch((error: unknown) => error);
  expect(hasCode(closed, 'documents/not-found')).toBe(true);

  await button('Apagar').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar', exact: true }).click();
  await expect(main).toContainText('Esta nota foi apagada.');
  expect(await shares.listNotes()).toEqual([]);

  // Another user signs in where the patient was asked to sign in again.
  await beginDiary(users.member.client);
  await saveNote({ users }, 'Só minha.');
  await page.reload();
  await expect(page.getByText('Só minha.')).toBeVisible();
  await button('Escrever outra nota').click();
  await page.getByLabel('Dia da consulta').last().fill(today());
  await evaded.last().fill('Isto não é para outra conta.');
  await page.context().clearCookies();
  await button('Guardar').last().click();
  await signIn.getByLabel('Email').fill(users.member.email);
  await signIn.getByLabel('Senha', { exact: true }).fill(users.member.password);
  await signIn.getByRole('button', { name: 'Entrar e continuar' }).click();
  await expect(page.getByText('Só minha.')).toHaveCount(0);
  await expect(evaded).toHaveValue('');
  expect(await (await users.member.client.diaryShares()).listNotes()).toEqual([]);
});
