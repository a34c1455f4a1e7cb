import { practicePath } from '#contract/practices/path.ts';
import { beginDiary } from '#server/testing/diaries.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { findPractice, type Group, type Stage } from '../accessible.ts';
import { expect, signIn } from '../journey.ts';
import { keptBy, prepareDevice } from './device.ts';

const title = 'Respirar com o mar';
/** A practice that nobody opens with network. */
const notKept = 'Caminhar devagar';

/** The patient chooses the device and saves the audio, once. The user of the page stays signed in. */
async function choose(stage: Stage, user = stage.users.patient) {
  const { page, site, users } = stage;
  await page.goto(`${site.url}/about`);
  if ((await keptBy(page)).chosen !== null) return;
  await page.context().clearCookies();
  await signIn(page, site.url, users.patient);
  await prepareDevice(page, site.url);
  await page.goto(site.url + practicePath(await findPractice(stage, title)));
  await page.getByRole('button', { name: /Guardar áudio/ }).click();
  await expect(page.getByText('Guardado neste aparelho')).toBeVisible();
  await page.context().clearCookies();
  await signIn(page, site.url, user);
}

/** Another entry waits on the patient's device, because the requests of the diary fail. */
const withWaiting = (path: string) => async (stage: Stage) => {
  const { page, site } = stage;
  await choose(stage);
  await page.unrouteAll();
  await page.route('**/api/documents/diary**', (route) => route.abort());
  await page.route('**/api/documents/diary/**', (route) => route.abort());
  await page.goto(`${site.url}/diario/novo`);
  await page.getByLabel('Quer contar algo?').fill('Acordei às duas, sem sinal.');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByText('Guardado neste aparelho.')).toBeVisible();
  return path;
};

export const device: Group = {
  name: 'a device without network',
  async fill({ users }) {
    const { documents } = users.admin.client;
    await beginDiary(users.patient.client);
    await documents.createActivity(sampleActivity({ title, audio: '/audio/tres-minutos.mp3' }));
    await documents.createActivity(sampleActivity({ title: 'Três sons', night: 'sleep' }));
    await documents.createActivity(sampleActivity({ title: notKept }));
  },
  states: [
    { name: 'a device, without an account', path: '/aparelho', shows: 'entre na sua conta' },
    { name: 'a device', path: '/aparelho', role: 'patient', shows: 'Este aparelho é só meu.' },
    {
      name: 'a choice without the box',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Usar sem internet neste aparelho' }).click();
      },
      ...{ shows: 'Confira este campo', isWalked: true },
    },
    {
      name: 'a chosen device',
      async path(stage) {
        await choose(stage);
        return '/aparelho';
      },
      ...{ role: 'patient', shows: 'Este aparelho está pronto' },
    },
    {
      name: 'the kept practices of a device',
      prepare: ({ page }) => page.getByText('abrem sem internet').click(),
      ...{ shows: 'Três sons', isWalked: true },
    },
    {
      name: 'the question before a device is erased',
      prepare: ({ page }) => page.getByRole('button', { name: 'Parar e apagar deste aparelho' }).click(),
      shows: 'Apagar deste aparelho?',
    },
    {
      name: 'a practice with saved audio',
      async path(stage) {
        await choose(stage);
        return practicePath(await findPractice(stage, title));
      },
      ...{ role: 'patient', shows: 'Guardado neste aparelho' },
    },
    {
      name: 'a page that is not kept',
      async prepare(stage) {
        const path = practicePath(await findPractice(stage, notKept));
        await stage.page.context().setOffline(true);
        await stage.page.goto(stage.site.url + path);
      },
      shows: 'Sem conexão',
    },
    {
      name: 'the device of another user',
      async path(stage) {
        await choose(stage, stage.users.member);
        return '/aparelho';
      },
      ...{ role: 'member', shows: 'Outra conta usa este aparelho sem internet.' },
    },
    {
      name: 'an entry that waits',
      path: withWaiting('/practices'),
      ...{ role: 'patient', shows: /esperam? para ser enviadas?/ },
    },
    {
      name: 'what waits on a device',
      path: withWaiting('/diario'),
      ...{ role: 'patient', shows: 'Só neste aparelho, por enquanto' },
    },
    {
      name: 'the question before what waits is deleted',
      prepare: ({ page }) =>
        page
          .getByRole('region', { name: 'Só neste aparelho' })
          .getByRole('button', { name: 'Apagar' })
          .first()
          .click(),
      shows: 'Apagar esta anotação?',
    },
    {
      name: 'a sign-out with an entry that waits',
      path: withWaiting('/logout'),
      ...{ role: 'patient', shows: 'Antes de sair' },
    },
  ],
};
