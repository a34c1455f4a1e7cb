import type { Page } from '@playwright/test';
import { expect, inFullIf, signIn, signInAnew, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

const tenNames = ['Um', 'Dois', 'Três', 'Quatro', 'Cinco', 'Seis', 'Sete', 'Oito', 'Nove', 'Dez'];
const textOf = (name: string) => `Prática ${name}.\n\n- Primeiro, respire\n- Depois "escute"`;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const table = (page: Page) => page.getByLabel('Tabela');
const check = (page: Page) => page.getByRole('button', { name: 'Conferir' });
const result = (page: Page) => page.getByRole('heading', { name: 'O que vai mudar' });
const save = (page: Page) => page.getByRole('button', { name: 'Salvar na biblioteca' });
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

const saved = async (list: 'moveActsList' | 'nutriActsList' | 'mindActsList') =>
  (await users.admin.client.documents.getActivitiesInParts(list)).activities;

async function open(page: Page, axis: string) {
  await page.goto(`${site.url}/admin/importar?axis=${axis}`);
  await expect(table(page)).toBeVisible();
}

/** @param text a table as spreadsheet programs copy it: cells with line breaks or quotes are in quotes */
async function paste(page: Page, text: string) {
  await table(page).focus();
  await page.keyboard.insertText(text);
}

for (const [width, axis, list] of [
  [360, 'move', 'moveActsList'],
  [1280, 'nutri', 'nutriActsList'],
] as const)
  test(
    `at ${width} px ten practices are pasted, then corrected with a file of Excel in Brazil, by keyboard`,
    inFullIf(width !== 360),
    async ({ page }) => {
      await signIn(page, site.url, users.admin);
      await page.setViewportSize({ width, height: 760 });
      await page.goto(`${site.url}/admin/${axis}`);
      await page.getByRole('link', { name: 'Importar' }).press('Enter');
      await expect(page).toHaveURL(`${site.url}/admin/importar?axis=${axis}`);
      await expect(page.getByRole('navigation', { name: 'Você está em' })).toContainText('Importar práticas');
      await paste(page, tenNames.map((name) => `${name}\t${quoted(textOf(name))}`).join('\r\n'));
      await check(page).press('Enter');
      await expect(result(page)).toBeFocused();
      await expect(page.getByText('10 novas.')).toBeVisible();
      expect(await saved(list)).toEqual([]);
      await save(page).press('Enter');
      await expect(page.getByText('Tudo salvo: 10 práticas novas.')).toBeFocused();
      await page.getByRole('link', { name: /^Abrir/ }).press('Enter');
      await expect(page.getByRole('article').getByRole('heading')).toHaveText(tenNames);
      const before = await saved(list);
      expect(before.map(({ content }) => content)).toEqual(tenNames.map(textOf));
      expect(before.map(({ url }) => url)).toEqual(before.map(({ id }) => `${site.url}/practices/${id}`));

      const lines = [
        'Eixo;Conteúdo;TITULO',
        `;"Outra: ""não"" é ação, é atenção";Três`,
        ';Só uma linha.;Um',
        `;${quoted(textOf('Dez'))};Dez`,
      ];
      await open(page, axis);
      await page.getByLabel('Escolher um arquivo CSV').setInputFiles({
        ...{ name: 'praticas.csv', mimeType: 'text/csv' },
        buffer: Buffer.from(lines.join('\r\n'), 'latin1'),
      });
      await expect(page.getByText('Lido: praticas.csv')).toBeVisible();
      await check(page).press('Enter');
      await expect(page.getByText('2 mudam, 1 fica igual.')).toBeVisible();
      await expect(row(page, 'Três')).toContainText('Muda: conteúdo');
      await expect(row(page, 'Dez')).toContainText('Fica igual');
      await save(page).press('Enter');
      await expect(page.getByText('Tudo salvo: 2 mudadas.')).toBeVisible();
      const after = await saved(list);
      expect(after.map(({ title }) => title)).toEqual([
        ...['Três', 'Um', 'Dez', 'Dois', 'Quatro', 'Cinco', 'Seis', 'Sete', 'Oito', 'Nove'],
      ]);
      expect(after[0]?.content).toBe('Outra: "não" é ação, é atenção');
      expect(after[1]?.content).toBe('Só uma linha.');
      expect(after.find(({ title }) => title === 'Dez')).toEqual(before[9]);
    },
  );

test('a row with a problem says why and is corrected there, and the others are saved without it', {
  tag: '@full',
}, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 760 });
  await signIn(page, site.url, users.admin);
  await open(page, 'mind');
  await check(page).press('Enter');
  await expect(page.getByRole('link', { name: /Cole a tabela/ })).toBeVisible();
  await paste(
    page,
    'Título\tTexto\tLink\tEixo\nBoa\tUm texto.\t\tMente\nRuim\tOutro.\tyoutube\tMente\nSem eixo\tMais um.\t\tSono',
  );
  await check(page).press('Enter');
  await expect(page.getByText('1 nova, 2 com problema.')).toBeVisible();
  await expect(row(page, 'Ruim')).toContainText('Use um link que comece com https://.');
  await expect(row(page, 'Sem eixo')).toContainText('Nenhum eixo se chama “Sono”.');
  await expect(row(page, 'Boa')).toContainText('Nova');
  const axis = page.getByLabel('Eixo da linha 4');
  await expect(axis).toHaveAccessibleDescription('Nenhum eixo se chama “Sono”.');
  await axis.fill('Mente');
  await expect(axis).toHaveAccessibleDescription('');
  await expect(row(page, 'Sem eixo')).toContainText('Nova');
  await page.getByRole('button', { name: 'Salvar 2 de 3 linhas' }).press('Enter');
  await expect(page.getByText('2 linhas estão salvas na biblioteca.')).toBeVisible();
  await expect(table(page)).toHaveValue('Título\tTexto\tLink\tEixo\nRuim\tOutro.\tyoutube\tMente');
  expect((await saved('mindActsList')).slice(0, 2).map(({ title }) => title)).toEqual(['Boa', 'Sem eixo']);
  // What is left survives a reload.
  await expect(page.getByText('fica neste aparelho até você salvar')).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await check(page).press('Enter');
  await page.getByLabel('Link da linha 2').pressSequentially('abc');
  await expect(page.getByLabel('Link da linha 2')).toBeFocused();
  await page.getByLabel('Link da linha 2').fill('gov.br/saude');
  await save(page).press('Enter');
  await expect(page.getByText('Tudo salvo: 1 prática nova.')).toBeFocused();
  await page.getByRole('button', { name: 'Importar mais' }).press('Enter');
  await paste(page, 'Só o título');
  await page.getByLabel('Mind').check();
  await check(page).press('Enter');
  await expect(page.getByText('1 com problema.')).toBeVisible();
  await expect(save(page)).toHaveCount(0);
  // Cells can be wrong after a quotation mark that is not closed: nothing is corrected or saved here.
  await table(page).fill('Título\tTexto\tMinutos\nA\tJá.\tdez\nB\t"Aberto\t2\nC\tBoa.\t3');
  await check(page).press('Enter');
  await expect(page.getByText('As aspas podem ter misturado outras linhas')).toBeVisible();
  await expect(page.getByLabel('Minutos da linha 2')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Salvar/ })).toHaveCount(0);
  // The preview disappears, because it shows the previous table.
  await table(page).fill('Boa\tUm texto.');
  await expect(result(page)).toHaveCount(0);
  await table(page).fill(Array.from({ length: 201 }, (_, n) => `T${n}\tX`).join('\n'));
  await check(page).press('Enter');
  await expect(page.getByRole('link', { name: /A tabela tem 201 linhas/ })).toBeVisible();
  await page.getByLabel('Escolher um arquivo CSV').setInputFiles({
    ...{ name: 'praticas.xlsx', mimeType: 'application/octet-stream' },
    buffer: Buffer.from([0x50, 0x4b, 3, 4, 1, 2, 3]),
  });
  await expect(page.getByText('Este é um arquivo do Excel')).toBeVisible();
  // In this file of Excel on a Mac, the only accent is a quotation mark on Windows.
  await page.getByLabel('Escolher um arquivo CSV').setInputFiles({
    ...{ name: 'mac.csv', mimeType: 'text/csv' },
    buffer: Buffer.from('F\x92sica;Ouvir', 'latin1'),
  });
  const doubt = page.getByRole('group', { name: 'Em qual destas linhas os acentos estão certos?' });
  await doubt.getByRole('button', { name: 'Física' }).click();
  await expect(table(page)).toHaveValue('Física;Ouvir');
  await expect(page.getByText('Lido: mac.csv')).toBeVisible();
});

test('what is pasted survives a reload, and the end of the session', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await signInAnew(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/importar`);
  await paste(page, 'Voltar\tO texto volta.');
  await check(page).press('Enter');
  await expect(page.getByRole('link', { name: /Escolha um eixo/ })).toBeVisible();
  await page.getByLabel('Mind').check();
  await page.getByLabel('Deixar as práticas novas fora do site').check();
  await expect(page.getByText('fica neste aparelho até você salvar')).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(table(page)).toHaveValue('Voltar\tO texto volta.');
  await expect(page.getByLabel('Mind')).toBeChecked();
  await expect(page.getByText('O que você colou antes continua aqui.')).toBeVisible();
  await check(page).press('Enter');
  await expect(result(page)).toBeFocused();
  await context.clearCookies();
  await save(page).press('Enter');
  const again = page.getByRole('dialog', { name: 'Entre de novo' });
  await again.getByLabel('Senha', { exact: true }).fill(users.admin.password);
  await again.getByRole('button', { name: 'Entrar e continuar' }).click();
  await expect(page.getByText('Tudo salvo: 1 prática nova.')).toBeFocused();
  const created = (await saved('mindActsList')).find(({ title }) => title === 'Voltar');
  expect(created?.visibility).toBe('hidden');
  await page.getByRole('button', { name: 'Importar mais' }).press('Enter');
  await expect(table(page)).toHaveValue('');

  await paste(page, 'Outra');
  await expect(page.getByText('fica neste aparelho até você salvar')).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Descartar' }).press('Enter');
  await expect(table(page)).toBeFocused();
  await expect(table(page)).toHaveValue('');
  await page.reload();
  await expect(table(page)).toHaveValue('');
});

test('when another admin saves first, the comparison is made again and nothing is lost', {
  tag: '@full',
}, async ({ page }) => {
  await signIn(page, site.url, users.admin);
  const { documents } = users.admin.client;
  const practice = await documents.createActivity({
    ...{ axis: 'mind', title: 'Piscar', url: 'https://www.gov.br/saude/pt-br', content: 'Devagar.' },
  });
  await open(page, 'mind');
  await paste(page, 'Piscar\tDuas vezes.\nBocejar\tCom calma.');
  await check(page).press('Enter');
  await expect(page.getByText('1 nova, 1 muda.')).toBeVisible();
  await documents.createActivity({
    ...{ axis: 'mind', title: 'Bocejar', url: 'https://www.gov.br/saude/pt-br', content: 'De Bruno.' },
  });
  await save(page).press('Enter');
  await expect(page.getByText('Alguém mudou a lista enquanto você conferia')).toBeVisible();
  await expect(page.getByText('2 mudam.')).toBeVisible();
  await expect(table(page)).toHaveValue('Piscar\tDuas vezes.\nBocejar\tCom calma.');
  expect((await documents.findActivity(practice))?.content).toBe('Devagar.');
  await save(page).press('Enter');
  await expect(page.getByText('Tudo salvo: 2 mudadas.')).toBeVisible();
  const [first, second] = await saved('mindActsList');
  expect([first?.title, first?.content, second?.title, second?.content]).toEqual([
    ...['Piscar', 'Duas vezes.', 'Bocejar', 'Com calma.'],
  ]);
});
