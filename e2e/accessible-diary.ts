import { dayAfter, dayInBrasilia } from '#contract/calendar.ts';
import { addEntry, beginDiary } from '#server/testing/diaries.ts';
import type { Group } from './accessible.ts';
import { expect } from './journey.ts';

const day = dayInBrasilia(Date.now());

export const diary: Group = {
  name: 'the diary',
  async fill({ users: { patient, member } }) {
    await beginDiary(patient.client);
    await beginDiary(member.client);
    for (const days of [0, 0, 1, 9, 40])
      await addEntry(patient, {
        ...{ day: dayAfter(day, -days), time: '22:10', intensity: 4 },
        words: { add: ['Cansaço', 'umapalavracompridasemespacoalgum'], remove: [] },
        note: { base: 0, text: 'Dormi pouco.\n\nCaminhei antes do jantar, e isso ajudou.' },
        practices: { add: ['apagada'], remove: [] },
        toward: { axis: 'family', words: 'Liguei para a minha irmã.' },
      });
  },
  states: [
    { name: 'an empty diary', path: '/diario', role: 'member', shows: 'Uma palavra basta.' },
    { name: 'a diary', path: '/diario', role: 'patient', shows: 'Suas palavras, semana a semana' },
    {
      name: 'the numbers of the words',
      async prepare({ page }) {
        await page.getByText('Ver em números').click();
        await expect(page.getByRole('table')).toBeVisible();
      },
    },
    {
      name: 'a search',
      async prepare({ page }) {
        await page.getByLabel('Procurar nas anotações').fill('nada assim');
        await expect(page.getByText('Nada com essas palavras.')).toBeVisible();
        await page.getByLabel('Procurar nas anotações').fill('');
      },
    },
    {
      name: 'a deleted entry',
      async prepare({ page }) {
        await page
          .getByRole('button', { name: /^Apagar/ })
          .first()
          .click();
        await expect(page.getByText('Anotação apagada.')).toBeVisible();
      },
    },
    {
      name: 'the diary as a burden',
      ...{ path: '/diario', role: 'patient' },
      async prepare({ page }) {
        await page.getByRole('button', { name: 'O diário está me fazendo mal?' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
    { name: 'a new entry', path: '/diario/novo', role: 'patient', shows: 'Como você está agora?' },
    {
      name: 'a new entry with everything',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Esperança' }).click();
        await page.getByRole('button', { name: 'bastante' }).click();
        await page.getByRole('button', { name: 'Família' }).click();
        await page.getByText('Mudar o dia ou a hora').click();
      },
    },
    {
      name: 'a saved entry',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Guardar', exact: true }).click();
        await expect(page.getByRole('heading', { name: 'Guardado.' })).toBeVisible();
      },
    },
    { name: 'copies of the diary', path: '/diario/copias', role: 'patient', shows: 'Trazer de um arquivo' },
    {
      name: 'the question before the deletion of a diary',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Apagar o diário inteiro' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
  ],
};
