import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import type { SiteContent } from '#contract/site/content.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { sectionOf, withFields } from '#server/testing/site-content.ts';
import {
  digestsOf,
  exportAndEdit,
  listFiles,
  publishWithFiles,
  runSite,
  start,
  temporaryFolder,
} from './testing.ts';

for (const kind of allDatabaseKinds)
  describe(`npm run site on ${kind}, while the server runs`, () => {
    it('moves the content and its files to another installation, which exports the same bytes', async (t) => {
      const [first, second] = [await start(t, kind), await start(t, kind)];
      await publishWithFiles(await first.join('admin'));
      const folder = await temporaryFolder(t);
      const exported = await runSite(first, 'export', join(folder, 'um'));
      assert.equal(exported.code, 0, exported.output);
      assert.match(exported.output, /site\.json, com 4 arquivos em /);
      const files = await readdir(join(folder, 'um/arquivos'));
      assert.deepEqual(files.sort(), [
        'audio.mp3',
        'retrato-de-perfil.png',
        'retrato-escuro.png',
        'retrato.jpg',
      ]);
      const content = JSON.parse(await readFile(join(folder, 'um/site.json'), 'utf8')) as SiteContent;
      assert.equal(content.home.hero.portrait.file, 'arquivos/retrato.jpg');
      assert.equal(content.home.about.portrait.dark, '/images/mesa-para-dois-escuro.svg');
      const { exif } = await sharp(join(folder, 'um/arquivos/retrato.jpg')).metadata();
      assert.equal(exif, undefined, 'the place of the photo is not exported');

      await second.join('admin');
      const imported = await runSite(second, 'import', join(folder, 'um/site.json'), '--publish');
      assert.deepEqual(
        [imported.code, imported.output.split('.')[0]],
        [0, 'O site está publicado, versão 1'],
      );
      const home = await (await fetch(second.url)).text();
      assert.match(home, /Ana Prado/);
      assert.match(home, /\/files\/site\/portrait\//);
      const published = await second.visitor.client.site.getContent();
      for (const url of [published.home.hero.portrait.dark, published.home.listen.audio])
        assert.equal((await fetch(`${second.url}${url}`)).status, 200);

      assert.equal((await runSite(second, 'export', join(folder, 'dois'))).code, 0);
      assert.deepEqual(await digestsOf(join(folder, 'dois')), await digestsOf(join(folder, 'um')));

      const again = await runSite(second, 'import', join(folder, 'dois/site.json'), '--publish');
      assert.deepEqual([again.code, again.output], [0, 'Nada mudou: o site publicado já é assim.']);
      assert.equal((await listFiles(second)).length, 4);
    });
  });

describe('npm run site -- export', () => {
  it('replaces an earlier export only with --overwrite, and leaves foreign files', async (t) => {
    const server = await start(t);
    const folder = await temporaryFolder(t);
    const admin = await server.join('admin');
    await publishWithFiles(admin);
    await runSite(server, 'export', join(folder, 'clinica.json'));
    await writeFile(join(folder, 'arquivos/nosso.txt'), 'nosso');
    const before = await digestsOf(folder);
    const refused = await runSite(server, 'export', join(folder, 'clinica.json'));
    assert.equal(refused.code, 1);
    assert.match(refused.output, /clinica\.json já existe\. Nada foi escrito\..*--overwrite/);
    assert.match((await runSite(server, 'export', folder)).output, /arquivos já existe/);
    assert.deepEqual(await digestsOf(folder), before);

    const draft = await admin.client.site.getDraft();
    const { hero } = sectionOf(draft, 'home').content;
    const { dark: _, ...portrait } = hero.portrait;
    await admin.client.site.saveSection(withFields(draft, 'home', { hero: { ...hero, portrait } }));
    await admin.client.site.publish((await admin.client.site.getDraft()).tag);
    assert.equal((await runSite(server, 'export', join(folder, 'clinica.json'), '--overwrite')).code, 0);
    const names = Object.keys(await digestsOf(folder));
    assert.deepEqual(names, [
      'arquivos/audio.mp3',
      'arquivos/nosso.txt',
      'arquivos/retrato-de-perfil.png',
      'arquivos/retrato.jpg',
      'clinica.json',
    ]);
  });

  it('writes the sample content of a new installation, and says so', async (t) => {
    const server = await start(t);
    const folder = await temporaryFolder(t);
    const { code, output } = await runSite(server, 'export', folder);
    assert.equal(code, 0);
    assert.match(output, /É o conteúdo de exemplo/);
    assert.deepEqual(Object.keys(await digestsOf(folder)), ['site.json']);
  });

  it('says where it cannot write, and leaves no incomplete file', async (t) => {
    const server = await start(t);
    const folder = await temporaryFolder(t);
    await publishWithFiles(await server.join('admin'));
    await mkdir(join(folder, 'arquivos/audio.mp3'), { recursive: true });
    const { code, output } = await runSite(server, 'export', folder, '--overwrite');
    assert.equal(code, 1);
    assert.match(output, /^Não foi possível escrever \S+audio\.mp3 \(\w+\)\.$/);
    assert.deepEqual(
      Object.keys(await digestsOf(folder)).filter((name) => !/retrato/.test(name)),
      [],
    );
  });
});

describe('npm run site', () => {
  it('prints the usage for missing or unknown arguments', async (t) => {
    const server = await start(t);
    for (const args of [
      [],
      ['copy', 'site.json'],
      ['export'],
      ['export', 'a', 'b'],
      ['export', 'a', '--publish'],
      ['import', 'a', '--overwrite'],
      ['import', 'a', '--admin'],
    ]) {
      const { code, output } = await runSite(server, ...args);
      assert.equal(code, 1);
      assert.match(output, /^Escreva assim: npm run site -- export/);
    }
  });

  it('creates nothing where there is no site', async (t) => {
    const folder = await temporaryFolder(t);
    const place = { dataDir: join(folder, 'vazia'), databaseUrl: undefined };
    const { code, output } = await runSite(place, 'export', join(folder, 'site'));
    assert.equal(code, 1);
    assert.match(output, /^Ainda não há um site em .*vazia: comece antes o servidor/);
    assert.deepEqual(await readdir(folder), []);
  });

  it('with PostgreSQL, refuses a data folder that does not exist', async (t) => {
    const server = await start(t, 'postgres');
    const folder = await temporaryFolder(t);
    const place = { dataDir: join(folder, 'outra'), databaseUrl: server.databaseUrl };
    const { code, output } = await runSite(place, 'export', join(folder, 'site'));
    assert.equal(code, 1);
    assert.match(output, /outra não existe: escreva em DATA_DIR/);
    assert.equal(existsSync(place.dataDir), false);
  });

  it('says in a sentence that another program locks the database', async (t) => {
    const server = await start(t, 'sqlite');
    await publishWithFiles(await server.join('admin'));
    const folder = await temporaryFolder(t);
    await exportAndEdit(server, folder, (content) => {
      content.home.title = 'Outro título';
    });
    const other = new DatabaseSync(join(server.dataDir, 'acolhe.sqlite'));
    other.exec('begin exclusive');
    try {
      const { code, output } = await runSite(server, 'import', join(folder, 'site.json'));
      assert.equal(code, 1);
      assert.doesNotMatch(output, /\n/);
      assert.match(output, /nenhum outro programa usa os mesmos dados.*Veja em \/admin\/site/);
    } finally {
      other.close();
    }
  });
});
