import type { Page } from '@playwright/test';
import { fillSignUp } from './account-forms.ts';
import { pictureOf } from './files.ts';
import { expect, inFullIf, siteForTests, test } from './journey.ts';
import type { Site } from './site.ts';
import { save } from './site-editor.ts';

const name = 'Dra. Helena Duarte';
const sentence = 'Um tempo só seu.';

async function becomeAdmin(page: Page, site: Site) {
  await page.goto(site.url + site.firstAdminPath());
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await fillSignUp(page, { name: 'Helena Duarte', email: 'helena@example.com', password: 'calmaria2025x' });
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  await expect(page.getByRole('heading', { name: 'Ponha o site no ar' })).toBeVisible();
}

/** The fields of the section Identidade, and the text that the clinic writes into each. */
const identity: [label: string, text: string][] = [
  ['Nome curto', 'Helena Duarte'],
  ['Nome da médica ou do médico', name],
  ['RQE', '54321'],
  ['CRM', 'crm sp 123.456'],
  ['E-mail de contato', 'contato@helena.example'],
  ['WhatsApp', '(11) 91234-5678'],
  ['Onde atende', 'Consultório em Campinas, SP'],
  ['Endereço', 'Rua das Flores, 10\nCentro, Campinas, SP'],
  ['Nome', 'Helena Duarte'],
  ['E-mail', 'privacidade@helena.example'],
];

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });

/** Closes all notices, because in a narrow window they cover buttons. */
async function closeNotices(page: Page) {
  const close = page.getByRole('button', { name: 'Fechar aviso' });
  while ((await close.count()) > 0) await close.first().click();
}

async function writeIdentity(page: Page) {
  for (const [label, text] of identity) await field(page, label).fill(text);
  for (let networks = 3; networks > 0; networks -= 1)
    await page.getByRole('button', { name: 'Remover rede 1' }).click();
  await closeNotices(page);
}

const robotsTag = async (page: Page, { url }: Site) =>
  (await page.request.get(url)).headers()['x-robots-tag'];

const wide = siteForTests();
const narrow = siteForTests();

for (const [width, site] of [
  [1280, wide],
  [360, narrow],
] as const)
  test(
    `from an empty data folder, a clinic publishes its name, portrait and sentence (${width} px)`,
    inFullIf(width !== 360),
    async ({ page, browser }) => {
      await page.setViewportSize({ width, height: 800 });
      await becomeAdmin(page, site);
      expect(await robotsTag(page, site)).toBe('noindex');

      await test.step('who the clinic is', async () => {
        await page.getByRole('link', { name: 'Diga quem atende' }).click();
        await writeIdentity(page);
        await expect(field(page, 'WhatsApp')).toHaveValue('+55 11 91234-5678');
        await save(page);
        await page
          .getByRole('navigation', { name: 'Você está em' })
          .getByRole('link', { name: 'Início' })
          .click();
        await expect(page.getByText('Nome, registro e contatos estão escritos.')).toBeVisible();
      });

      await test.step('portrait and sentence', async () => {
        await page.getByRole('link', { name: 'Escolha o retrato' }).click();
        const portrait = page.getByRole('group', { name: 'Retrato', exact: true });
        await expect(portrait.locator(':focus')).toHaveCount(1);
        await portrait
          .locator('input[type="file"]')
          .first()
          .setInputFiles(await pictureOf(900, 'helena.jpg'));
        await expect(page.getByText('Imagem enviada.')).toBeVisible();
        await closeNotices(page);
        await expect(portrait.getByRole('textbox')).toHaveValue('');
        await portrait.getByRole('textbox').fill('A médica sorri, de blusa verde');
        await field(page, 'Frase 1').fill(sentence);
        await field(page, 'Apresentação').fill('Não prometo cura: escuto com calma.');
        await save(page);
        await page.getByRole('link', { name: 'Rever e publicar' }).click();
      });

      await test.step('publication', async () => {
        await expect(page.getByRole('heading', { name: 'O que muda' })).toBeVisible();
        await page.getByRole('button', { name: 'Publicar agora' }).click();
        await expect(page.getByText('Marque cada aviso depois de conferir o texto.')).toBeVisible();
        await page.getByRole('checkbox', { name: /“cura”.*O CFM não permite prometer cura/ }).check();
        await page.getByRole('checkbox', { name: /Vídeo de outro site.*ainda é o exemplo/ }).check();
        for (const part of ['Valores e convênio', 'Horário de atendimento', 'O que a clínica acrescenta'])
          await page.getByRole('checkbox', { name: new RegExp(`${part}.*Ainda é o exemplo`) }).check();
        for (const box of await page.getByRole('checkbox').all()) await box.check();
        await page.getByRole('button', { name: 'Publicar agora' }).click();
        await expect(page.getByText('Publicado. Quem abrir o site já vê a versão nova.')).toBeVisible();
        await page.getByRole('status').getByRole('link', { name: 'Ver o site' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toContainText(sentence);
      });

      await test.step('a visitor without JavaScript', async () => {
        for (const colorScheme of ['light', 'dark'] as const) {
          const visitor = await browser.newContext({ javaScriptEnabled: false, colorScheme });
          const visit = await visitor.newPage();
          const response = await visit.goto(site.url);
          expect(response?.headers()['x-robots-tag']).toBeUndefined();
          await expect(visit.getByRole('heading', { level: 1 })).toContainText(sentence);
          await expect(visit.getByText(name).first()).toBeVisible();
          const portrait = visit.getByRole('img', { name: 'A médica sorri, de blusa verde' });
          await expect(portrait).toBeVisible();
          const shown = await portrait.evaluate((image: HTMLImageElement) => image.currentSrc);
          expect(shown).toContain('/files/site/portrait/');
          await visitor.close();
        }
      });
    },
  );
