import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { olderContent } from '#clinic/older-content.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { photo, png } from '#server/testing/pictures.ts';
import { realIdentity, sectionOf, withFields } from '#server/testing/site-content.ts';
import { mp3 } from '#server/testing/storage.ts';
import { assertUnchanged, exportAndEdit, runSite, start, temporaryFolder } from './testing.ts';

for (const kind of allDatabaseKinds)
  describe(`npm run site -- import on ${kind}, while the server runs`, () => {
    it('imports into the draft, and asks before it replaces changes there', async (t) => {
      const server = await start(t, kind);
      const admin = await server.join('admin');
      const folder = await temporaryFolder(t);
      await exportAndEdit(server, folder, ({ identity }) => Object.assign(identity, realIdentity));
      const first = await runSite(server, 'import', join(folder, 'site.json'));
      assert.equal(first.code, 0);
      assert.match(first.output, /^No rascunho mudou: identity\. Veja e publique em .*\/admin\/site\n/);
      assert.match(first.output, /practices\.externalVideo\.url: .*ainda é o exemplo/);
      const draft = await admin.client.site.getDraft();
      assert.equal(sectionOf(draft, 'identity').content.shortName, 'Ana Prado');
      assert.equal(draft.version, 0);

      const refused = await runSite(server, 'import', join(folder, 'site.json'), '--publish');
      assert.equal(refused.code, 1);
      assert.match(refused.output, /não foram publicadas \(identity\).*--replace-draft/);
      await admin.client.site.saveSection(withFields(draft, 'member', { lead: 'Escrito no navegador.' }));
      const replaced = await runSite(server, 'import', join(folder, 'site.json'), '--replace-draft');
      assert.equal(replaced.code, 0);
      const after = await admin.client.site.getDraft();
      assert.deepEqual(
        after.sections.filter(({ changed }) => changed).map(({ section }) => section),
        ['identity'],
      );
    });
  });

describe('npm run site -- import', () => {
  it('fills in the defaults of fields that an older export lacks', async (t) => {
    const server = await start(t);
    const admin = await server.join('admin');
    const folder = await temporaryFolder(t);
    await exportAndEdit(server, folder, (content) => {
      const identity = { ...realIdentity, hours: 'Segunda a sexta, das 9h às 18h' };
      Object.assign(content, olderContent({ ...content, identity }));
    });
    const { code, output } = await runSite(
      server,
      ...['import', join(folder, 'site.json'), '--publish', '--confirm-warnings'],
    );
    assert.equal(code, 0, output);
    const draft = await admin.client.site.getDraft();
    assert.equal(draft.version, 1);
    assert.deepEqual(sectionOf(draft, 'identity').content.schedule.days, []);
    assert.deepEqual(sectionOf(draft, 'home').content.fees.items, []);
  });

  it('names every mistake with its field, and changes nothing', async (t) => {
    const server = await start(t);
    await server.join('admin');
    const folder = await temporaryFolder(t);
    await exportAndEdit(server, folder, (content) => {
      Object.assign(content, { blog: {}, member: null });
      Object.assign(content.identity, { extra: 1, shortName: 3 });
      content.home.hero.lead = 'a\u0000b';
      content.home.hero.portrait.file = 'arquivos/nada.png';
    });
    const { code, output } = await runSite(server, 'import', join(folder, 'site.json'), '--publish');
    assert.equal(code, 1);
    for (const says of [
      /site\.json\. Nada foi importado\.$/m,
      /^ {2}blog: não há esta seção; as seções são identity, /m,
      /^ {2}member: \S.*objeto/m,
      /^ {2}identity: .*"extra"/m,
      /^ {2}identity\.shortName: \S.*texto/m,
      /^ {2}home\.hero\.lead: Há caracteres que não podem ser usados aqui\.$/m,
      /^ {2}home\.hero\.portrait\.file: falta a pasta /m,
    ])
      assert.match(output, says);
    await assertUnchanged(server);
  });

  it('reads only pictures and sounds inside its folder, whatever their names say', async (t) => {
    const server = await start(t);
    await server.join('admin');
    const folder = await temporaryFolder(t);
    const files = join(folder, 'arquivos');
    await mkdir(join(files, 'dentro.png'), { recursive: true });
    const picture = await png();
    await writeFile(join(folder, 'fora.png'), picture);
    await symlink(join(folder, 'fora.png'), join(files, 'link.png'));
    await writeFile(join(files, 'vazio.png'), '');
    await writeFile(join(files, 'texto.png'), 'não é uma imagem');
    await writeFile(join(files, 'desenho.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(files, 'som.mp3'), mp3(3_000));
    await writeFile(join(files, 'certa.png'), picture);
    // The beginning of this picture is valid, so only decoding the whole picture shows the damage.
    await writeFile(join(files, 'cortada.png'), (await photo(400, 300)).subarray(0, 4_000));
    await new Promise((resolve) => execFile('mkfifo', [join(files, 'cano.png')], resolve));
    const content = await exportAndEdit(server, folder, ({ home }) => {
      home.hero.portrait.dark = 'arquivos/certa.png';
    });
    const importWith = async (name: string) => {
      content.home.about.portrait.file = name;
      await writeFile(join(folder, 'site.json'), JSON.stringify(content));
      return runSite(server, 'import', join(folder, 'site.json'));
    };
    for (const [name, says] of [
      ['../fora.png', /arquivos\/ e o nome/],
      ['arquivos/../fora.png', /arquivos\/ e o nome/],
      ['arquivos/..', /arquivos\/ e o nome/],
      ['arquivos\\fora.png', /arquivos\/ e o nome/],
      [join(folder, 'fora.png'), /arquivos\/ e o nome/],
      ['/files/site/portrait/abc?token=abc', /arquivos\/ e o nome/],
      ['arquivos/nada.png', /falta o arquivo/],
      ['arquivos/link.png', /é um link/],
      ['arquivos/dentro.png', /não é um arquivo/],
      ['arquivos/cano.png', /não é um arquivo/],
      ['arquivos/vazio.png', /vazio/],
      ['arquivos/texto.png', /não é uma imagem/],
      ['arquivos/desenho.svg', /não é uma imagem/],
      ['arquivos/som.mp3', /não é uma imagem/],
      ['arquivos/cortada.png', /está incompleto ou danificado/],
    ] as const) {
      const { code, output } = await importWith(name);
      assert.equal(code, 1, name);
      assert.match(output, /Nada foi importado/, name);
      assert.match(output, /^ {2}home\.about\.portrait\.file: /m, name);
      assert.match(output, says, name);
      await assertUnchanged(server);
    }
    await rm(files, { recursive: true });
    await mkdir(join(folder, 'outra'));
    await writeFile(join(folder, 'outra/certa.png'), picture);
    await symlink(join(folder, 'outra'), files);
    assert.match((await importWith('arquivos/certa.png')).output, /falta a pasta/);
    await assertUnchanged(server);
  });

  it('says what is wrong with a file that is not an export', async (t) => {
    const server = await start(t);
    await server.join('admin');
    const folder = await temporaryFolder(t);
    const file = join(folder, 'site.json');
    for (const [text, says] of [
      [undefined, /não pôde ser lido/],
      ['{"identity": {\n  "a": 1,\n}}', /não é um JSON válido \(linha 3, coluna 1\)/],
      ['[]', /não é uma exportação do site/],
      ['{}', /não é uma exportação do site/],
      ['null', /não é uma exportação do site/],
    ] as const) {
      if (text !== undefined) await writeFile(file, text);
      const { code, output } = await runSite(server, 'import', file);
      assert.equal(code, 1);
      assert.match(output, says);
    }
  });

  it('does not publish content with problems, nor content with warnings without --confirm-warnings', async (t) => {
    const server = await start(t);
    await server.join('admin');
    const folder = await temporaryFolder(t);
    const file = join(folder, 'site.json');
    await exportAndEdit(server, folder, ({ identity }) =>
      Object.assign(identity, realIdentity, { crm: 'CRM-XX 1' }),
    );
    const blocked = await runSite(server, 'import', file, '--publish', '--confirm-warnings');
    assert.equal(blocked.code, 1);
    assert.match(blocked.output, /Nada mudou\. Corrija:\n {2}identity\.crm: o CRM deve ser como /);
    await assertUnchanged(server);

    // Sections that the file does not have stay as they are.
    await writeFile(file, `\uFEFF${JSON.stringify({ identity: realIdentity })}`);
    const warned = await runSite(server, 'import', file, '--publish');
    assert.equal(warned.code, 1);
    assert.match(warned.output, /--confirm-warnings\n {2}practices\.externalVideo\.url: /);
    await assertUnchanged(server);
    const done = await runSite(server, 'import', file, '--publish', '--confirm-warnings');
    assert.deepEqual([done.code, done.output], [0, 'O site está publicado, versão 1. Mudou: identity.']);
    assert.match(await (await fetch(server.url)).text(), /Ana Prado/);
  });

  it('acts in the name of an admin, who must be named if there are several', async (t) => {
    const server = await start(t);
    const folder = await temporaryFolder(t);
    await server.join('member');
    await exportAndEdit(server, folder, ({ identity }) => Object.assign(identity, realIdentity));
    const importAs = (...args: string[]) => runSite(server, 'import', join(folder, 'site.json'), ...args);
    assert.match((await importAs()).output, /Ainda não há conta de administração/);
    await server.join('admin', 'Bia');
    const { email, client } = await server.join('admin', 'Caio');
    assert.match((await importAs()).output, /Há mais de uma conta.*--admin/);
    assert.match(
      (await importAs('--admin', 'outra@exemplo.com.br')).output,
      /Não há conta de administração com/,
    );
    await assertUnchanged(server);
    const args = ['--admin', email.toUpperCase(), '--publish', '--confirm-warnings'];
    assert.equal((await importAs(...args)).code, 0);
    const [version] = await client.site.listVersions();
    assert.deepEqual(version?.publishedBy, { name: 'Caio' });
  });
});
