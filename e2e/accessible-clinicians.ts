import { dayInBrasilia } from '#contract/calendar.ts';
import { connect, type Database } from '#server/database/connect.ts';
import { codeOf } from '#server/testing/authenticator.ts';
import { addEntry, addShare, addShownNote, beginDiary } from '#server/testing/diaries.ts';
import type { Group, Stage } from './accessible.ts';
import { expect } from './journey.ts';
import { editUser } from './users-list.ts';

export const clinician = { name: 'Dra. Alice Prado', crm: 'CRM-SP 123456' };

/** Turns on the admin's second factor, which also makes the session strong. */
export async function protectAdmin({ users: { admin } }: Pick<Stage, 'users'>) {
  const { uri } = await admin.client.auth.beginSecondFactor({ password: admin.password });
  await admin.client.auth.confirmSecondFactor(codeOf(uri));
}

/** The patient writes an entry and a note for today's consultation, and shows both to the admin. */
export async function shareDiary({ site, users: { patient, admin } }: Pick<Stage, 'site' | 'users'>) {
  await beginDiary(patient.client);
  const day = dayInBrasilia(Date.now());
  await addEntry(patient, {
    ...{ day, time: '22:10', intensity: 4 },
    words: { add: ['sono', 'preocupação'], remove: [] },
    note: { base: 0, text: 'Dormi pouco.\nCaminhei antes do jantar.' },
    practices: { add: ['apagada'], remove: [] },
    toward: { axis: 'family', words: 'Liguei para a minha irmã.' },
  });
  const { uid } = patient;
  await inDatabase(site, async (database) => {
    await addShare({ database }, uid, { uid: admin.uid, ...clinician });
    const note = { clinicianUid: admin.uid, day, answer: 'Que parei de sair de casa.' };
    await addShownNote({ database, dataDir: site.dataDir }, uid, note);
  });
}

/** Ends everything that patients show. */
export const endShares = ({ site }: Pick<Stage, 'site'>) =>
  inDatabase(site, async (database) => {
    await database.updateTable('diaryShares').set({ endedAt: Date.now(), endedBy: 'patient' }).execute();
    await database.updateTable('consultationNotes').set({ shownAt: null }).execute();
  });

async function inDatabase({ dataDir }: Stage['site'], work: (database: Database) => Promise<unknown>) {
  const database = connect({ dataDir, databaseUrl: undefined });
  try {
    await work(database);
  } finally {
    await database.destroy();
  }
}

export const clinicians: Group = {
  name: 'the diaries that patients share',
  fill: protectAdmin,
  states: [
    {
      name: 'a list of patients for an admin who is no clinician',
      ...{ path: '/admin/pacientes', role: 'admin', shows: 'nome e CRM para ler diários' },
    },
    {
      name: 'the question for name and CRM',
      ...{ path: '/participants', role: 'admin' },
      async prepare({ page }) {
        const dialog = await editUser(page, 'Alice Admin');
        await dialog.getByRole('button', { name: 'Nomear para ler diários' }).click();
        const question = page.getByRole('dialog', { name: 'Nomear Alice Admin para ler diários' });
        await question.getByRole('button', { name: 'Nomear' }).click();
        await expect(question.getByText('Confira estes campos')).toBeVisible();
      },
    },
    {
      name: 'a list of patients without patients',
      async path({ users }) {
        const { uid, client, password } = users.admin;
        await (await client.clinicians()).name(uid, { ...clinician, password });
        return '/admin/pacientes';
      },
      ...{ role: 'admin', shows: 'Ninguém compartilha o diário com você agora.' },
    },
    {
      name: 'a list of patients',
      async path(stage) {
        await shareDiary(stage);
        return '/admin/pacientes';
      },
      ...{ role: 'admin', shows: 'palavras e intensidade' },
    },
    {
      name: 'a shared diary',
      path: async ({ users }) => `/admin/pacientes/${users.patient.uid}`,
      ...{ role: 'admin', shows: 'O paciente vê que você leu' },
    },
    { name: 'a diary that is not shared', path: '/admin/pacientes/ninguem', role: 'admin' },
    {
      name: 'the dialog of a clinician',
      ...{ path: '/participants', role: 'admin' },
      async prepare({ page }) {
        const dialog = await editUser(page, 'Alice Admin');
        await expect(dialog.getByText(clinician.crm)).toBeVisible();
        await dialog.getByRole('button', { name: 'Tirar' }).click();
        await expect(page.getByRole('dialog', { name: `Tirar ${clinician.name}` })).toBeVisible();
      },
    },
    {
      name: 'a clinician whose session is not strong',
      async path({ site }) {
        await inDatabase(site, (database) =>
          database.updateTable('sessions').set({ strong: false }).execute(),
        );
        return '/admin/pacientes';
      },
      ...{ role: 'admin', shows: 'Para ler diários, é preciso ter entrado' },
    },
  ],
};
