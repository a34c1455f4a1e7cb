import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { epochMs } from '#server/database/database-time.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { startTestServer } from '#server/testing/server.ts';
import {
  account,
  bucket,
  content,
  document,
  downloadUrl,
  googleInfo,
  list,
  practice,
  smallProject,
  userRecord,
  writeProject,
} from './testing/fixture.ts';
import { importFrom, readReport } from './testing/run.ts';

for (const kind of allDatabaseKinds) {
  describe(`what an import from Firebase rejects on ${kind}`, () => {
    it('rejected.json explains each rejection, and nothing is imported without --skip-invalid', async (t) => {
      const project = await smallProject(false);
      project.accounts.push(
        account('ANA2', { email: 'ANA@exemplo.com.br' }),
        account('semdata', { createdAt: 'ontem' }),
        account('hash', { passwordHash: 'AAAA' }),
        account('google2', googleInfo('1234567890')),
        account('torto', { email: 'não é e-mail' }),
        account('iso', { createdAt: '2021-03-04T05:06:07Z', email: '\u00a0iso@exemplo.com.br ' }),
        account('fora', {
          email: undefined,
          emailVerified: false,
          providerUserInfo: [{ providerId: 'google.com', rawId: '77', email: 'fora@exemplo.com.br' }],
        }),
      );
      project.documents.push(
        userRecord('hash', {
          profilePic: downloadUrl('fotos/nenhuma.png'),
          staff: 'sim',
          category: 'x'.repeat(61),
        }),
        document('wordMood/eva', { note: `Veja gs://${bucket}/nada.png` }),
        list('nutriActsList', [
          practice('ok', 'nutri', { image: downloadUrl('postImages/nutri/texto') }),
          practice('eixo', 'mind'),
          practice('um', 'nutri'),
          practice('script', 'nutri', { url: 'javascript:alert(1)' }),
          practice('vazia', 'nutri', { title: ' ' }),
          'texto',
        ]),
        { ...document('wordMood/bia', {}), fields: { x: { doubleValue: 'NaN' } } },
      );
      project.contents.push(
        content(
          'postImages/nutri/texto',
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
          'image/png',
        ),
      );
      const server = await startTestServer(t, kind);
      const folder = await writeProject(t, project);
      await assert.rejects(importFrom(server, folder), {
        name: 'StartError',
        message: /Nada foi importado, porque há \d+ recusas\. Leia rejected\.json/,
      });
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      const file = path.join(path.dirname(folder), 'rejected.json');
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const { rejected, notImported, changed } = await readReport(folder);
      const seen = rejected.map(({ id, field, reason }) => `${id} ${field}: ${reason}`).sort();
      assert.deepEqual(seen, [
        'accounts/ANA2 email: A conta ana tem o mesmo e-mail, talvez com outras maiúsculas.',
        'accounts/google2 providerUserInfo.rawId: Outra conta já usa esta conta do Google. A conta ficaria sem a entrada com o Google.',
        'accounts/hash passwordHash: A senha não tem o formato do Firebase. A conta ficaria sem senha.',
        'accounts/semdata createdAt: A conta não diz quando foi criada.',
        'accounts/torto email: Este e-mail não é aceito.',
        'activities/nutriActsList nutriActsList.0.image: Aqui há o endereço de um arquivo que foi recusado. Não é uma imagem (JPEG, PNG, WebP ou AVIF) nem um áudio (MP3, M4A, AAC, OGG ou WAV).',
        'activities/nutriActsList nutriActsList.1.axis: Este eixo fica em outra lista.',
        'activities/nutriActsList nutriActsList.3.url: Use um link que comece com https://.',
        'activities/nutriActsList nutriActsList.4.title: Preencha este campo.',
        'activities/nutriActsList nutriActsList.5: Isto não é uma prática.',
        `files/${bucket}/postImages/nutri/texto : Não é uma imagem (JPEG, PNG, WebP ou AVIF) nem um áudio (MP3, M4A, AAC, OGG ou WAV).`,
        seen.find((line) => line.startsWith('users/hash category: ')) ?? '',
        'users/hash profilePic: Aqui há o endereço de um arquivo que a exportação não tem.',
        'users/hash staff: Aqui só cabe sim ou não (true ou false).',
        'wordMood/bia : Há um número que não se pode guardar.',
        'wordMood/eva note: Aqui há o endereço de um arquivo que a exportação não tem.',
      ]);
      const leftOut = notImported.map(({ id, reason }) => `${id}: ${reason}`).sort();
      assert.deepEqual(leftOut, [
        'accounts/anonima: A conta é anônima.',
        'accounts/caio: A conta está desativada.',
        'accounts/davi: A conta não tem e-mail.',
        'accounts/eva: A verificação em duas etapas precisa ser ligada de novo.',
        'accounts/hash: A conta não tem senha nem Google: a pessoa entra com “Esqueceu a senha?”.',
        'users/apagada: Nenhuma conta importada tem esta identificação.',
      ]);

      assert.deepEqual(changed.map(({ id, field, reason }) => `${id} ${field}: ${reason}`).sort(), [
        'accounts/fora email: O e-mail veio da conta do Google ou de outra.',
        'accounts/iso email: Os espaços em volta do e-mail foram tirados.',
        'activities/nutriActsList nutriActsList.2.id: Outra prática tem esta identificação: esta recebeu uma nova.',
      ]);

      await importFrom(server, folder, { skipInvalid: true });
      const users = await server.database.selectFrom('users').select(['id', 'email', 'createdAt']).execute();
      assert.deepEqual(users.map(({ id }) => id).sort(), [
        'ana',
        'bia',
        'eva',
        'fora',
        'google2',
        'hash',
        'iso',
      ]);
      const iso = users.find(({ id }) => id === 'iso');
      assert.deepEqual(
        [iso?.email, epochMs(iso?.createdAt)],
        ['iso@exemplo.com.br', Date.UTC(2021, 2, 4, 5, 6, 7)],
      );
      const { activities } = await server.visitor.client.documents.getActivities('nutriActsList');
      assert.deepEqual(
        activities.map(({ id, image }) => [/^f[\w-]{27}$/.test(id) ? 'new' : id, image]),
        [
          ['ok', ''],
          ['new', ''],
        ],
      );
      const eva = await server.database
        .selectFrom('wordMood')
        .select('record')
        .where('uid', '=', 'eva')
        .executeTakeFirst();
      assert.match(eva?.record ?? '', /gs:/, 'the patient keeps the record with its old address');
    });
  });
}
