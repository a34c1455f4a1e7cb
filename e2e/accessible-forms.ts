import type { Page } from '@playwright/test';
import { findPractice, type Group, pagesOf, type Stage } from './accessible.ts';
import { audioOf, chooserOf, holdSecondPiece, pictureOf, uploadField } from './files.ts';
import { expect } from './journey.ts';
import { fillLibrary } from './site.ts';

const url = 'https://www.gov.br/saude/pt-br';

const dancing = {
  axis: 'fun',
  title: 'Dançar',
  url: 'https://youtu.be/aBcDeFgHiJ0',
  content: 'Escolha uma música.\n\n- de pé\n- sem plateia',
} as const;

/** Another admin saves a practice while this page edits it. */
async function meetConflict(stage: Stage) {
  const { page, users } = stage;
  const practice = await findPractice(stage, dancing.title, 'valuesActsList');
  await page.getByLabel('Título').fill('Dançar sozinho');
  await page.getByLabel('Conteúdo').fill('Uma música.\n\n- de pé\n- sem plateia');
  await page.getByLabel('Família').check();
  await users.admin.client.documents.updateActivity(practice, {
    ...{ axis: 'career', title: 'Dançar junto', url: practice.url, content: 'Duas músicas.\n\n- de pé' },
    ...{ image: '/images/demo/janela.svg', audio: '/audio/tres-minutos.mp3' },
  });
  await page.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Alguém salvou esta prática antes de você' })).toBeVisible();
}

async function importTable(page: Page, rows: string) {
  await page.getByLabel('Tabela').fill(rows);
  await page.getByRole('button', { name: 'Conferir' }).click();
}

export const forms: Group = {
  name: 'the forms of the administration',
  fill: ({ users }) => fillLibrary(users.admin),
  states: [
    ...pagesOf(['/admin/newact', '/admin/importar'], 'admin'),
    {
      name: 'import with problems',
      path: '/admin/importar?axis=mind',
      role: 'admin',
      async prepare({ page }) {
        const rows = ['Título\tTexto\tLink\tEixo', 'Boa\tUm texto.\t\tMente', 'Sem eixo\tMais um.\t\tSono'];
        await importTable(page, [...rows, 'Ruim\tOutro.\tyoutube\tMente'].join('\n'));
        await expect(page.getByText('1 nova, 2 com problema.')).toBeVisible();
      },
    },
    {
      name: 'import after a change by another admin',
      async prepare({ page, users }) {
        await importTable(page, 'Piscar\tDuas vezes.\nBocejar\tCom calma.');
        await expect(page.getByText('2 novas.')).toBeVisible();
        const other = { axis: 'mind', title: 'Bocejar', url, content: 'De Bruno.' } as const;
        await users.admin.client.documents.createActivity(other);
        await page.getByRole('button', { name: 'Salvar na biblioteca' }).click();
        await expect(page.getByText('Alguém mudou a lista enquanto você conferia')).toBeVisible();
      },
    },
    {
      name: 'import is saved',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Salvar na biblioteca' }).click();
        await expect(page.getByText(/^Tudo salvo/)).toBeVisible();
      },
    },
    {
      name: 'edit form',
      role: 'admin',
      async path(stage) {
        const { id } = await findPractice(stage, 'Percorrer o corpo');
        return `/admin/editact?axis=mind&id=${id}`;
      },
    },
    {
      name: 'edit form with an error',
      async prepare({ page }) {
        await page.getByLabel('Título').fill('');
        await page.getByRole('button', { name: 'Salvar' }).click();
        await expect(page.getByRole('link', { name: 'Preencha este campo.' })).toBeVisible();
      },
    },
    {
      name: 'preview of a practice',
      role: 'admin',
      async path(stage) {
        const { id } = await findPractice(stage, 'Folhas no riacho');
        return `/admin/editact?axis=mind&id=${id}`;
      },
      async prepare({ page }) {
        await page.getByLabel('Título').fill('Andar na rua');
        await page.getByLabel('Duração em minutos').fill('dez');
        // A click would miss the button, which the error of the field moves.
        await page.getByRole('button', { name: 'Ver como paciente' }).press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Como o paciente vê' });
        await expect(dialog.getByText('Duração em minutos: Escreva os minutos')).toBeVisible();
      },
    },
    {
      name: 'an activity that is gone',
      path: '/admin/editact?axis=fun&id=nada',
      role: 'admin',
      shows: 'Esta prática não está mais aqui.',
    },
    {
      name: 'conflict',
      role: 'admin',
      async path({ users }) {
        const { id } = await users.admin.client.documents.createActivity(dancing);
        return `/admin/editact?axis=fun&id=${id}`;
      },
      prepare: meetConflict,
    },
    {
      name: 'after the conflict',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Continuar editando' }).click();
        await expect(page.getByRole('button', { name: 'Voltar à minha versão' })).toBeVisible();
      },
    },
    {
      name: 'deleted meanwhile',
      async prepare(stage) {
        const practice = await findPractice(stage, 'Dançar junto', 'valuesActsList');
        await stage.users.admin.client.documents.deleteActivity(practice);
        await stage.page.getByRole('button', { name: 'Salvar', exact: true }).click();
        await expect(stage.page.getByText('Alguém deletou esta prática')).toBeVisible();
      },
    },
    {
      name: 'new form, no video found, draft kept',
      path: '/admin/newact',
      role: 'admin',
      async prepare({ page }) {
        await page.getByLabel('Link do vídeo').fill('https://youtu.be/curto');
        await expect(page.getByText('falta nele o código do vídeo')).toBeVisible();
        await expect(page.getByText('O rascunho fica neste aparelho')).toBeVisible();
      },
    },
    {
      name: 'new form with a video',
      async prepare({ page }) {
        await page.getByLabel('Link do vídeo').fill('https://youtu.be/aBcDeFgHiJ0');
        await expect(page.getByRole('button', { name: /^Assistir/ })).toBeVisible();
      },
    },
    {
      name: 'question before leaving',
      async prepare({ page }) {
        await page.getByRole('link', { name: 'Início' }).first().click();
        await expect(page.getByRole('dialog', { name: 'Sair sem salvar?' })).toBeVisible();
      },
    },
    {
      name: 'a draft is offered',
      async prepare({ page, site }) {
        await page.getByRole('button', { name: 'Sair sem salvar' }).click();
        await page.goto(`${site.url}/admin/newact`);
        await expect(page.getByText('Há um rascunho seu')).toBeVisible();
      },
    },
    {
      name: 'a file that waits, a file that is refused',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Descartar' }).click();
        await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(1_200));
        const text = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
        await chooserOf(page, 'Áudio').setInputFiles(text);
        await expect(uploadField(page, 'Imagem')).toContainText('Escolha o eixo');
        await expect(uploadField(page, 'Áudio').getByRole('alert')).toContainText('Escolha MP3');
      },
    },
    {
      name: 'an upload that failed, an upload on its way',
      async prepare({ page, watch }) {
        await page.route('**/api/storage/resumable', (route) => route.fulfill({ status: 402 }), { times: 1 });
        await page.getByRole('radio', { name: 'Mind' }).check({ force: true });
        const picture = uploadField(page, 'Imagem');
        await expect(picture.getByRole('alert')).toContainText('Não cabem mais arquivos');
        watch.problems.length = 0;
        await holdSecondPiece(page);
        await chooserOf(page, 'Áudio').setInputFiles(audioOf(600_000));
        await expect(uploadField(page, 'Áudio')).toContainText('43%');
      },
    },
    {
      name: 'a stored picture, a paused upload',
      async prepare({ page }) {
        const [picture, sound] = [uploadField(page, 'Imagem'), uploadField(page, 'Áudio')];
        await sound.getByRole('button', { name: 'Pausar' }).click();
        await expect(sound.getByRole('button', { name: 'Continuar' })).toBeVisible();
        await picture.getByRole('button', { name: 'Cancelar' }).click();
        await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(150));
        const stored = picture.getByRole('img', { name: 'Imagem da prática' });
        await expect(stored).toBeVisible({ timeout: 30_000 });
      },
    },
    {
      name: 'an upload without a network',
      async prepare({ page }) {
        await page.route('**/api/storage/**', (route) => route.abort());
        await uploadField(page, 'Áudio').getByRole('button', { name: 'Continuar' }).click();
        await expect(uploadField(page, 'Áudio')).toContainText('Sem conexão.');
      },
    },
  ],
};
