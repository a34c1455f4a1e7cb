import { randomUUID } from 'node:crypto';
import { dayAfter } from '#contract/calendar.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import type { Group, Stage } from './accessible.ts';
import { clinician, protectAdmin } from './accessible-clinicians.ts';
import { today } from './accessible-shares.ts';

/** Makes the admin a clinician, once. */
export async function nameAdmin({ users }: Pick<Stage, 'users'>) {
  const { admin } = users;
  const clinicians = await admin.client.clinicians();
  if ((await clinicians.list()).length > 0) return;
  await protectAdmin({ users });
  await clinicians.name(admin.uid, { ...clinician, password: admin.password });
}

/** The admin proposes a new practice to the patient for this week and the next. @returns its id */
export async function proposeTo(
  { users }: Pick<Stage, 'users'>,
  { title, message }: { title: string; message: string },
): Promise<string> {
  await nameAdmin({ users });
  const { admin, patient } = users;
  const practice = await admin.client.documents.createActivity(sampleActivity({ title }));
  const id = randomUUID();
  await (await admin.client.week()).propose(patient.uid, {
    ...{ id, activityId: practice.id, message, timesPerWeek: 3 },
    ...{ fromDay: today(), toDay: dayAfter(today(), 13) },
  });
  return id;
}

export const week: Group = {
  name: 'the week',
  fill: nameAdmin,
  states: [
    { name: 'a week with nothing in it', path: '/semana', role: 'patient', shows: 'Nada combinado' },
    {
      name: 'a week',
      async path(stage) {
        await proposeTo(stage, { title: 'Respirar antes de dormir', message: 'Sem pressa.\nSó três.' });
        return '/semana';
      },
      ...{ role: 'patient', shows: 'Sem pressa.' },
    },
    {
      name: 'an answered week',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Fiz', exact: true }).click();
        await page.getByRole('link', { name: 'Anotar como foi' }).waitFor();
      },
      isWalked: true,
    },
    {
      name: 'a week put aside',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Esta semana não' }).click();
        await page.getByText('Esta semana ficou de lado. Tudo bem.').waitFor();
      },
    },
    {
      name: 'a proposal with errors',
      ...{ path: '/admin/propor', role: 'admin' },
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Propor', exact: true }).click();
        await page.getByText('Confira estes campos').waitFor();
      },
      isWalked: true,
    },
    {
      name: 'a search for a patient and a practice',
      async prepare({ page }) {
        await page.getByLabel('Procurar uma pessoa por nome ou e-mail').fill('paciente');
        await page.getByLabel('Procurar uma prática').fill('respirar');
        await page.getByRole('radio', { name: 'Respirar antes de dormir' }).check();
      },
    },
    {
      name: 'the proposals to a patient',
      path: async ({ users }) => `/admin/pacientes/${users.patient.uid}`,
      ...{ role: 'admin', shows: 'Copiar para o prontuário' },
    },
    { name: 'the area with a week', path: '/minha-area', role: 'patient', shows: 'Sua semana' },
  ],
};
