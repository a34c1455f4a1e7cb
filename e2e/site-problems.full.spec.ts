import type { Page } from '@playwright/test';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { changeSection } from './site-editor.ts';

const { site, users } = siteWithUsers();

const open = async (page: Page, path: string) => {
  await page.goto(`${site.url}/admin/site${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
};

test('each problem has a link that opens its field, also inside of closed parts', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await changeSection(users.admin, 'home', (home) => ({
    ...home,
    steps: { ...home.steps, items: home.steps.items.with(2, { title: 'Terceiro passo', text: '' }) },
  }));
  await changeSection(users.admin, 'questions', (questions) =>
    questions.with(4, { question: 'E a resposta?', answer: [] }),
  );
  await open(page, '/publicar');
  await expect(page.getByRole('button', { name: 'Publicar agora' })).toHaveCount(0);
  const links: [link: string, field: string][] = [
    ['CRM', 'identity#campo-crm'],
    ['Especialidades, especialidade 1, RQE', 'identity#campo-specialties-0-rqe'],
    ['Redes sociais, rede 2, Endereço da página', 'identity#campo-social-1-url'],
    ['A primeira consulta, Os passos, passo 3, Texto', 'home#campo-steps-items-2-text'],
    ['Pergunta 5, Resposta', 'questions#campo-4-answer'],
  ];
  for (const [name, field] of links) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(`${site.url}/admin/site/${field}`);
    const focused = page.locator(`#${field.split('#')[1]}`);
    await expect(focused).toBeFocused();
    await expect(focused).toBeVisible();
    await expect(focused).toHaveAttribute('aria-invalid', 'true');
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Antes de publicar, corrija' })).toBeVisible();
  }
  await open(page, '');
  await expect(page.getByText('Faltam 13 campos')).toBeVisible();
  await expect(page.getByText('Falta 1 campo')).toHaveCount(2);
});
