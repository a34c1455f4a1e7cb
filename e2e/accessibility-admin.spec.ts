import { expectAccessible } from './accessible.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { fillLibrary, registerAdmin } from './site.ts';

test.describe.configure({ timeout: 180_000 });

const { site, users } = siteWithUsers();

test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

test('the empty library is accessible', async ({ page }) => {
  await page.goto(`${site.url}/admin`);
  await expect(page.getByRole('heading', { name: 'Primeiros passos' })).toBeVisible();
  await expectAccessible(page, 'dashboard with first steps');
  await page.goto(`${site.url}/admin/nutri`);
  await expect(page.getByText('Nenhuma prática ainda.')).toBeVisible();
  await expectAccessible(page, 'empty list');
});

test('every state of a list is accessible', async ({ page }) => {
  await fillLibrary(users.admin);
  await page.goto(`${site.url}/admin/mind`);
  await page
    .getByRole('button', { name: /^Mover/ })
    .nth(1)
    .click();
  await expect(page.getByRole('button', { name: /^Soltar/ })).toBeVisible();
  await expectAccessible(page, 'a card grabbed');
  await page.getByRole('button', { name: 'Cancelar a mudança' }).click();

  await page.getByRole('article').first().getByRole('heading').getByRole('button').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'reader');
  await page.keyboard.press('Escape');

  await page.getByRole('searchbox').fill('nada disso existe');
  await expect(page.getByText('Nenhuma prática tem essas palavras')).toBeVisible();
  await expectAccessible(page, 'nothing found');
  await page.getByRole('searchbox').fill('');

  await page
    .getByRole('button', { name: /^Deletar/ })
    .first()
    .press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
  await expectAccessible(page, 'offer to undo');
  const texts = page.waitForResponse(/\/mindActsList\/items\?part=0$/);
  await page.keyboard.press('Enter');
  await (await texts).finished();
  await expect(page.getByRole('article')).toHaveCount(10);
  await users.admin.client.documents.createActivity({
    ...{ axis: 'mind', title: 'De outra pessoa' },
    ...{ url: 'https://www.gov.br/saude/pt-br', content: 'Nova.' },
  });
  await page
    .getByRole('button', { name: /^Mover/ })
    .first()
    .press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Alguém mudou esta lista antes de você')).toBeVisible();
  await expectAccessible(page, 'an order that was overtaken');

  await page.route('**/api/documents/activities/**', (route) => route.abort());
  await page.goto(`${site.url}/admin/move`);
  await expect(page.getByRole('alert')).toContainText('Sem conexão.');
  await expectAccessible(page, 'a list that could not be read');
});

test('every state of the forms is accessible', async ({ page }) => {
  const { documents } = users.admin.client;
  const practice = await documents.createActivity({
    ...{ axis: 'fun', title: 'Dançar', url: 'https://youtu.be/aBcDeFgHiJ0' },
    content: 'Escolha uma música.\n\n- de pé\n- sem plateia',
  });
  await page.goto(`${site.url}/admin/newact`);
  await page.getByLabel('Link do vídeo').fill('https://youtu.be/curto');
  await expect(page.getByText('falta nele o código do vídeo')).toBeVisible();
  await expect(page.getByText('O rascunho fica neste aparelho')).toBeVisible();
  await expectAccessible(page, 'new form, no video found, draft kept');
  await page.getByLabel('Link do vídeo').fill('https://youtu.be/aBcDeFgHiJ0');
  await expect(page.getByRole('button', { name: /^Assistir/ })).toBeVisible();
  await expectAccessible(page, 'new form with a video');
  await page.getByRole('link', { name: 'Início' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Sair sem salvar?' })).toBeVisible();
  await expectAccessible(page, 'question before leaving');
  await page.getByRole('button', { name: 'Sair sem salvar' }).click();
  await page.goto(`${site.url}/admin/newact`);
  await expect(page.getByText('Há um rascunho seu')).toBeVisible();
  await expectAccessible(page, 'a draft is offered');

  await page.goto(`${site.url}/admin/editact?axis=fun&id=nada`);
  await expect(page.getByText('Esta prática não está mais aqui.')).toBeVisible();
  await expectAccessible(page, 'an activity that is gone');

  await page.goto(`${site.url}/admin/editact?axis=fun&id=${practice.id}`);
  await page.getByLabel('Título').fill('Dançar sozinho');
  await page.getByLabel('Conteúdo').fill('Uma música.\n\n- de pé\n- sem plateia');
  await page.getByLabel('Família').check();
  const saved = await documents.updateActivity(practice, {
    ...{ axis: 'career', title: 'Dançar junto', url: practice.url },
    ...{
      content: 'Duas músicas.\n\n- de pé',
      image: '/images/demo/janela.svg',
      audio: '/audio/tres-minutos.mp3',
    },
  });
  await page.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Alguém salvou esta prática antes de você' })).toBeVisible();
  await expectAccessible(page, 'conflict');
  await page.getByRole('button', { name: 'Continuar editando' }).click();
  await expect(page.getByRole('button', { name: 'Voltar à minha versão' })).toBeVisible();
  await expectAccessible(page, 'after the conflict');
  await documents.deleteActivity(saved);
  await page.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(page.getByText('Alguém deletou esta prática')).toBeVisible();
  await expectAccessible(page, 'deleted meanwhile');
});

test('the menu, its drawer and the shortcuts are accessible, for staff too', async ({ page }) => {
  const user = await registerAdmin(site, users, 'Estela Equipe');
  await users.admin.client.documents.updateUser(user.uid, { staff: true });
  await signIn(page, site.url, user);
  await page.goto(`${site.url}/admin/values`);
  await expect(page.locator('h1')).toBeVisible();
  await expectAccessible(page, 'sidebar of staff');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Atalhos do teclado' })).toBeVisible();
  await expectAccessible(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 960, height: 800 });
  await page.getByRole('button', { name: /^Menu da administração/ }).click();
  await expect(page.getByRole('dialog', { name: 'Menu da administração' })).toBeVisible();
  await expectAccessible(page, 'drawer', {
    sizes: [
      { width: 960, height: 800 },
      { width: 320, height: 800 },
    ],
  });
});
