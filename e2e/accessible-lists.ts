import type { Page } from '@playwright/test';
import { type Group, pagesOf, type Stage } from './accessible.ts';
import { expect } from './journey.ts';
import { currentMonth, fillLibrary, register, registerAdmin, type Totals, writeTotals } from './site.ts';
import { editUser, save } from './users-list.ts';

const url = 'https://www.gov.br/saude/pt-br';

/** Gives twelve practices and `title` uses in the current month. */
async function fillTotals({ site, users }: Stage, title: string) {
  const { documents } = users.admin.client;
  const { id } = await documents.createActivity({ axis: 'mind', title, url, content: 'Note o ar.' });
  const month = currentMonth();
  writeTotals(
    site,
    [id, month, 950, 9, 0],
    ...Array.from({ length: 12 }, (_, index): Totals => [`old${index}`, month, 900 - index * 70, 40, index]),
  );
}

const trash = (page: Page) => page.getByRole('dialog', { name: 'Deletadas nas últimas 24 horas' });

export const lists: Group = {
  name: 'the lists of the administration',
  async fill({ site, users }) {
    users.staff = await registerAdmin(site, users, 'Estela Equipe');
    await users.admin.client.documents.updateUser(users.staff.uid, { staff: true });
  },
  states: [
    {
      name: 'dashboard with first steps',
      path: '/admin',
      role: 'admin',
      prepare: ({ page }) => page.getByRole('heading', { name: 'Primeiros passos' }).waitFor(),
    },
    {
      name: 'empty list',
      path: '/admin/nutri',
      role: 'admin',
      shows: 'Nenhuma prática ainda.',
    },
    {
      name: 'nothing deleted',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Deletadas' }).click();
        await expect(trash(page).getByText('Nenhuma prática foi deletada.')).toBeVisible();
      },
    },
    {
      name: 'a card grabbed',
      role: 'admin',
      async path({ users }) {
        await fillLibrary(users.admin);
        return '/admin/mind';
      },
      async prepare({ page }) {
        await page
          .getByRole('button', { name: /^Mover/ })
          .nth(1)
          .click();
        await expect(page.getByRole('button', { name: /^Soltar/ })).toBeVisible();
      },
    },
    {
      name: 'reader',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Cancelar a mudança' }).click();
        await page.getByRole('article').first().getByRole('heading').getByRole('button').click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
    {
      name: 'nothing found',
      async prepare({ page }) {
        await page.keyboard.press('Escape');
        await page.getByRole('searchbox').fill('nada disso existe');
        await expect(page.getByText('Nenhuma prática tem essas palavras')).toBeVisible();
      },
    },
    {
      name: 'found on other axes',
      async prepare({ page, users }) {
        const { documents } = users.admin.client;
        await documents.createActivity({ axis: 'move', title: 'Só no movimento', url, content: 'Já.' });
        await page.getByRole('searchbox').fill('');
        await page.getByRole('searchbox').fill('so no movimento');
        await expect(page.getByRole('region', { name: /^Também em Move/ })).toBeVisible();
      },
    },
    {
      name: 'delete question',
      async prepare({ page }) {
        await page.getByRole('searchbox').fill('');
        await page
          .getByRole('button', { name: /^Deletar/ })
          .first()
          .press('Enter');
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
    {
      name: 'offer to undo',
      async prepare({ page }) {
        await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).press('Enter');
        await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
      },
    },
    {
      name: 'an order that was overtaken',
      async prepare({ page, users }) {
        const texts = page.waitForResponse(/\/mindActsList\/items\?part=0$/);
        await page.keyboard.press('Enter');
        await (await texts).finished();
        await expect(page.getByRole('article')).toHaveCount(10);
        const other = { axis: 'mind', title: 'De outra pessoa', url, content: 'Nova.' } as const;
        await users.admin.client.documents.createActivity(other);
        await page
          .getByRole('button', { name: /^Mover/ })
          .first()
          .press('Enter');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await expect(page.getByText('Alguém mudou esta lista antes de você')).toBeVisible();
      },
    },
    {
      name: 'deleted practices',
      path: '/admin/mind',
      role: 'admin',
      async prepare({ page, users }) {
        const { documents } = users.admin.client;
        const [first] = (await documents.getActivities('mindActsList')).activities;
        if (first) await documents.deleteActivity(first);
        await page.getByRole('button', { name: 'Deletadas' }).click();
        await expect(trash(page).getByRole('listitem')).toHaveCount(1);
      },
    },
    {
      name: 'a list that could not be read',
      path: '/admin/values',
      role: 'admin',
      async prepare({ page, site }) {
        await page.route('**/api/documents/activities/**', (route) => route.abort());
        await page.goto(`${site.url}/admin/move`);
        await expect(page.getByRole('alert')).toContainText('Sem conexão.');
      },
    },
    ...pagesOf(['/pro', '/admin', '/admin/mind', '/admin/values'], 'admin'),
    {
      name: 'dashboard with the use of practices',
      role: 'admin',
      async path(stage) {
        await fillTotals(stage, 'Respira'.repeat(12));
        return '/admin';
      },
      shows: /^RespiraRespira/,
    },
    {
      name: 'sidebar of staff',
      role: 'staff',
      path: '/admin/values',
    },
    {
      name: 'shortcuts',
      async prepare({ page }) {
        await page.keyboard.press('?');
        await expect(page.getByRole('dialog', { name: 'Atalhos do teclado' })).toBeVisible();
      },
    },
    {
      name: 'drawer',
      path: '/admin/values',
      role: 'staff',
      onlyAt: { width: 960, height: 800 },
      async prepare({ page }) {
        await page.getByRole('button', { name: /^Menu da administração/ }).click();
        await expect(page.getByRole('dialog', { name: 'Menu da administração' })).toBeVisible();
      },
    },
  ],
};

export const usersList: Group = {
  name: 'the list of users',
  fill: async ({ site, users }) => {
    const bia = await register(site, 'Bia Acesso');
    const { documents } = users.admin.client;
    await documents.updateUser(bia.uid, { member: true, staff: true, category: 'grupo' });
  },
  states: [
    ...pagesOf(['/participants'], 'admin'),
    {
      name: 'editing a user',
      async prepare({ page }) {
        const dialog = await editUser(page, 'Bia Acesso');
        await dialog.getByRole('checkbox', { name: /^Pesquisa/ }).check();
        await save(dialog);
        await expect(dialog.getByText('Marca salva.')).toBeVisible();
      },
    },
    {
      name: 'confirming a new role',
      async prepare({ page }) {
        const dialog = page.getByRole('dialog', { name: 'Bia Acesso', exact: true });
        await dialog.getByRole('radio', { name: /^Administração/ }).check();
        await save(dialog);
        await expect(page.getByRole('dialog', { name: /^Tornar a conta/ })).toBeVisible();
      },
    },
    {
      name: 'discarding a change of a user',
      async prepare({ page }) {
        const confirming = page.getByRole('dialog', { name: /^Tornar a conta/ });
        await confirming.getByRole('button', { name: 'Cancelar' }).click();
        const dialog = page.getByRole('dialog', { name: 'Bia Acesso', exact: true });
        await dialog.getByRole('button', { name: 'Fechar' }).click();
        await expect(page.getByRole('dialog', { name: 'Fechar sem salvar?' })).toBeVisible();
      },
    },
    {
      name: 'no user found',
      async prepare({ page }) {
        const discarding = page.getByRole('dialog', { name: 'Fechar sem salvar?' });
        await discarding.getByRole('button', { name: 'Fechar sem salvar' }).click();
        await page.getByRole('searchbox').fill('ninguem assim');
        await expect(page.getByText('Ninguém com')).toBeVisible();
      },
    },
  ],
};
