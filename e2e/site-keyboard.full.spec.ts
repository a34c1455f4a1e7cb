import type { Page } from '@playwright/test';
import { pictureOf } from './files.ts';
import { expect, siteForTests, test } from './journey.ts';
import { expectSaved } from './site-editor.ts';

const site = siteForTests();
const name = 'Dra. Helena Duarte';
const sentence = 'Um tempo só seu.';
const mostMs = 5 * 60_000;
const mostPresses = 150;

test('with the keyboard alone, a clinic goes from the first link to its published site', async ({ page }) => {
  const { keyboard } = page;
  const begun = Date.now();

  async function follow(link: string) {
    await tabTo(page, link);
    await keyboard.press('Enter');
  }

  /** Replaces the text of a field. */
  async function write(label: string, text: string) {
    await tabTo(page, label);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText(text);
  }

  await test.step('a first account', async () => {
    await page.goto(site.url + site.firstAdminPath());
    await follow('Criar uma conta');
    await expect(page.getByLabel('Nome completo')).toBeVisible();
    await write('Nome completo', 'Helena Duarte');
    await write('Email', 'helena@example.com');
    await write('Senha', 'calmaria2025x');
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Ponha o site no ar' })).toBeVisible();
  });

  await test.step('who the clinic is', async () => {
    await follow('Diga quem atende');
    await write('Nome curto', 'Helena Duarte');
    await write('Nome da médica ou do médico', name);
    await write('RQE', '54321');
    await write('CRM', 'crm sp 123.456');
    await write('E-mail de contato', 'contato@helena.example');
    await write('WhatsApp', '(11) 91234-5678');
    await write('Onde atende', 'Consultório em Campinas, SP');
    await write('Endereço', 'Rua das Flores, 10\nCentro, Campinas, SP');
    for (let networks = 3; networks > 0; networks -= 1) await follow('Remover rede 1');
    await write('Nome', 'Helena Duarte');
    await write('E-mail', 'privacidade@helena.example');
    // Enter saves while the focus is in a field of one line.
    await keyboard.press('Enter');
    await expectSaved(page);
  });

  await test.step('portrait and sentence', async () => {
    await follow('Início');
    await follow('Escolha o retrato');
    const portrait = page.getByRole('group', { name: 'Retrato', exact: true });
    await expect(portrait.locator(':focus')).toHaveCount(1);
    // Space opens the file chooser, but the test starts to wait for it before Tab. Playwright asks the
    // browser to intercept the chooser and does not await the reply.
    const chooser = page.waitForEvent('filechooser');
    await keyboard.press('Tab');
    await expect(portrait.locator('input[type="file"]').first()).toBeFocused();
    await keyboard.press('Space');
    await (await chooser).setFiles(await pictureOf(900, 'helena.jpg'));
    await expect(page.getByText('Imagem enviada.')).toBeVisible();
    await write('Descrição da imagem', 'A médica sorri, de blusa verde');
    await write('Frase 1', sentence);
    await keyboard.press('Enter');
    await expectSaved(page);
  });

  await test.step('publication', async () => {
    await follow('Rever e publicar');
    await expect(page.getByRole('heading', { name: 'O que muda' })).toBeVisible();
    for (const warning of await page.getByRole('checkbox').all()) {
      const label = await warning.evaluate((box: HTMLInputElement) => box.labels?.[0]?.textContent ?? '');
      await tabTo(page, label.trim());
      await keyboard.press('Space');
      await expect(warning).toBeChecked();
    }
    await follow('Publicar agora');
    await expect(page.getByText('Publicado. Quem abrir o site já vê a versão nova.')).toBeVisible();
    expect(Date.now() - begun).toBeLessThan(mostMs);
    await follow('Ver o site');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(sentence);
    const response = await page.request.get(site.url);
    expect(response.headers()['x-robots-tag']).toBeUndefined();
    expect(await response.text()).toContain('wa.me/5511912345678');
  });
});

/** Presses Tab until the focused element has this name. The first words of a long name are enough. */
async function tabTo(page: Page, wanted: string) {
  const names: string[] = [];
  for (let press = 0; press < mostPresses; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      const label = isField ? element.labels?.[0]?.textContent : undefined;
      return (label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
    });
    if (focused === wanted || (wanted.includes(' ') && focused.startsWith(wanted))) return;
    names.push(focused.slice(0, 40));
  }
  throw new Error(`Tab does not reach “${wanted}”, but: ${[...new Set(names)].join(' | ')}`);
}
