import type { Group, Stage } from './accessible.ts';
import { expect } from './journey.ts';
import { addSubscriber } from './site.ts';

const input = { subject: 'Dormir no calor', text: 'Olá.\n\n- água **fresca**\n- pausa', indexed: false };

/** The newest issue, which the state before has opened. */
async function newest({ users }: Stage): Promise<string> {
  const { issues } = await (await users.admin.client.issues()).list();
  return issues[0]?.id ?? '';
}

export const newsletter: Group = {
  name: 'the letter',
  fill: async ({ site }) => addSubscriber(site, 'assinante@example.com'),
  states: [
    { name: 'no issue', path: '/admin/carta', role: 'admin', shows: 'Nenhuma carta foi escrita ainda.' },
    { name: 'a new issue', path: '/admin/carta/nova', role: 'admin' },
    {
      name: 'a new issue with errors',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Salvar rascunho' }).click();
        await expect(page.getByRole('heading', { name: 'Confira estes campos' })).toBeVisible();
      },
    },
    {
      name: 'a draft',
      role: 'admin',
      async path({ users }) {
        const { id } = await (await users.admin.client.issues()).create(input);
        return `/admin/carta/${id}`;
      },
    },
    {
      name: 'a draft that another admin has changed',
      async prepare(stage) {
        const issues = await stage.users.admin.client.issues();
        await issues.change(await issues.read(await newest(stage)), { ...input, text: 'Outro.' });
        await stage.page.getByLabel('Assunto').fill('Dormir');
        await stage.page.getByRole('button', { name: 'Salvar rascunho' }).click();
        await expect(stage.page.getByText('Outra pessoa salvou esta carta')).toBeVisible();
      },
    },
    {
      name: 'the question before sending',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Salvar o meu texto' }).click();
        await page.getByRole('button', { name: 'Enviar…' }).click();
        await expect(page.getByRole('dialog', { name: 'Enviar a carta?' })).toBeVisible();
      },
    },
    {
      name: 'an issue that was sent',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Enviar agora' }).click();
        await expect(page.getByText('A carta foi enviada para 1 pessoa.')).toBeVisible();
      },
    },
    { name: 'the archive', path: '/admin/carta', role: 'admin' },
    {
      name: 'the public page of an issue',
      async path({ users }) {
        const issues = await users.admin.client.issues();
        const { id } = await issues.send(await issues.create(input));
        return `/carta/${id}`;
      },
      shows: 'água fresca',
    },
  ],
};
