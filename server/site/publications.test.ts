import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { texts } from '#clinic/texts.ts';
import { paths } from '#contract/paths.ts';
import type { Identity } from '#contract/site/identity.ts';
import { renderedPages } from '#contract/site/public-pages.ts';
import type { ServiceName } from '../app.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { publishName, realIdentity, sectionOf, withFields } from '../testing/site-content.ts';

const services: ServiceName[] = ['auth', 'documents', 'site'];
const publicPages = [...renderedPages, '/nada'];

for (const kind of databaseKinds) {
  describe(`publications of the site on ${kind}`, { concurrency: true }, () => {
    const start = (t: TestContext) => startTestServer(t, kind, { services });
    const page = async ({ url }: Pick<TestServer, 'url'>, path = '/') => (await fetch(url + path)).text();

    it('lets exactly one of many concurrent publications win', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      await site.saveSection(
        withFields(await site.getDraft(), 'identity', { ...realIdentity, shortName: 'Uma vez' }),
      );
      const { tag } = await site.getDraft();
      const publications = Array.from({ length: 6 }, () => site.publish(tag, { warningsConfirmed: true }));
      const results = await Promise.allSettled(publications);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.deepEqual(
        (await site.listVersions()).map(({ version }) => version),
        [1],
      );
    });

    it('refuses to publish what the admin has not seen', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      await site.saveSection(withFields(await site.getDraft(), 'identity', { shortName: 'Visto' }));
      const seen = await site.getDraft();
      await site.saveSection(withFields(seen, 'practices', { note: 'Não visto.' }));
      await assert.rejects(
        site.publish(seen.tag, { warningsConfirmed: true }),
        refusedWith('documents/precondition-failed'),
      );
      assert.deepEqual(await site.listVersions(), []);
    });

    it('refuses to publish a section with problems, and names them', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const saved = await site.saveSection(
        withFields(await site.getDraft(), 'identity', { ...realIdentity, crm: '', whatsapp: '12' }),
      );
      assert.deepEqual(
        saved.problems.map(({ path }) => path),
        ['crm', 'whatsapp'],
      );
      const { tag } = await site.getDraft();
      await assert.rejects(
        site.publish(tag, { warningsConfirmed: true }),
        (error: { code: string; issues: { path: string }[] }) => {
          assert.equal(error.code, 'site/not-publishable');
          assert.deepEqual(
            error.issues.map(({ path }) => path),
            ['identity.crm', 'identity.whatsapp'],
          );
          return true;
        },
      );
      assert.deepEqual(changedSections(await site.getDraft()), ['identity']);
    });

    it('refuses to publish an identity that is not real', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const draft = await site.getDraft();
      await site.saveSection(withFields(draft, 'practices', { note: 'Outra nota.' }));
      const { tag } = await site.getDraft();
      const sampleFields = ['shortName', 'doctorName', 'specialties.0.rqe', 'crm', 'email', 'whatsapp'];
      await assert.rejects(site.publish(tag, { warningsConfirmed: true }), (error: Problems) => {
        const paths = error.issues.map(({ path }) => path);
        for (const field of sampleFields) assert.ok(paths.includes(`identity.${field}`), field);
        return true;
      });
      const wrong: Partial<Identity>[] = [
        ...[{ crm: 'CRM-XX 123456' }, { crm: 'CRM-SP 0000' }, { crm: 'CRM 123456' }],
        ...[{ whatsapp: '5520912345678' }, { whatsapp: '5511812345678' }, { whatsapp: '551191234567' }],
        { specialties: [{ name: 'psiquiatra', rqe: '' }] },
        { specialties: [{ name: 'psiquiatra', rqe: 'RQE 000' }] },
        ...[{ email: 'contato@exemplo.com.br' }, { social: [social('http://example.com/')] }],
        ...[{ social: [social('https://www.instagram.com/')] }, { doctorName: '\u200b' }],
      ];
      let { tag: sectionTag } = sectionOf(draft, 'identity');
      for (const fields of wrong) {
        const content = { ...realIdentity, ...fields };
        const saved = await site.saveSection({ section: 'identity', tag: sectionTag, content });
        assert.equal(saved.problems.length, 1, JSON.stringify(fields));
        sectionTag = saved.tag;
      }
    });

    it('asks the admin to confirm words that the medical council restricts', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const draft = await site.getDraft();
      await site.saveSection(withFields(draft, 'identity', realIdentity));
      await site.saveSection(withFields(draft, 'practices', { note: 'A MELHOR clínica, cura garantida.' }));
      const { tag, warnings } = await site.getDraft();
      assert.deepEqual(
        warnings.map(({ words }) => words),
        [
          ...['A MELHOR', 'garantida', 'cura'],
          // Sample content that is still in the draft: video, schedule, portraits, fees and privacy.
          ...['https://www.youtube.com/', '09:00', texts.home.hero.portrait.alt],
          ...[texts.home.about.portrait.alt, texts.home.fees.title, texts.privacy.sections[0]?.title],
        ],
      );
      await assert.rejects(site.publish(tag), refusedWith('site/not-publishable'));
      assert.deepEqual(await site.publish(tag, { warningsConfirmed: true }), { version: 1 });
    });

    it('refuses a publication without changes', async (t) => {
      const server = await start(t);
      const { client } = await server.join('admin');
      await publishName(client, 'Primeira');
      const { tag } = await client.site.getDraft();
      await assert.rejects(client.site.publish(tag, { warningsConfirmed: true }), (error: Problems) => {
        assert.deepEqual(error.issues, [{ path: '', message: 'Nada mudou desde a última publicação.' }]);
        return true;
      });
    });

    it('restores an older version into the draft, and then publishes the same bytes', async (t) => {
      const server = await start(t);
      const { client } = await server.join('admin', 'Bia');
      await publishName(client, 'Primeira');
      const firstPages = await Promise.all(publicPages.map((path) => page(server, path)));
      await publishName(client, 'Segunda');
      await client.site.restoreVersion(1, (await client.site.getDraft()).tag);
      assert.match(await page(server), /Segunda/);
      const draft = await client.site.getDraft();
      assert.deepEqual(changedSections(draft), ['identity']);
      await client.site.publish(draft.tag, { note: 'Voltamos', warningsConfirmed: true });
      const withoutVersion = (html: string) =>
        html.replace(/"version":\d+/, '').replaceAll(/\/share\/\d+\.png/g, '');
      const restored = await Promise.all(publicPages.map((path) => page(server, path)));
      assert.deepEqual(restored.map(withoutVersion), firstPages.map(withoutVersion));
      const versions = await client.site.listVersions();
      assert.deepEqual(
        versions.map(({ version, note, publishedBy }) => [version, note, publishedBy?.name]),
        [
          [3, 'Voltamos', 'Bia'],
          [2, '', 'Bia'],
          [1, '', 'Bia'],
        ],
      );
      await assert.rejects(
        client.site.restoreVersion(9, (await client.site.getDraft()).tag),
        refusedWith('documents/not-found'),
      );
      await assert.rejects(
        client.site.restoreVersion(1, '"0-0"'),
        refusedWith('documents/precondition-failed'),
      );
    });

    it('shows visitors the newest version and, for an hour, the one before', async (t) => {
      const server = await start(t);
      const { client } = await server.join('admin');
      const read = (version: string) => fetch(server.url + paths.site.content() + version);
      assert.equal((await read('?version=0')).headers.get('cache-control'), 'public, no-cache');
      for (const name of ['Primeira', 'Segunda', 'Terceira']) await publishName(client, name);
      const before = await read('?version=2');
      assert.equal(before.headers.get('cache-control'), 'public, max-age=3600');
      assert.match(await before.text(), /Segunda/);
      // fetch accepts compressed responses. Only the newest version, which stays in memory, is compressed.
      assert.equal(before.headers.get('content-encoding'), null);
      const third = await read('?version=3');
      assert.equal(third.headers.get('cache-control'), 'public, max-age=3600');
      assert.equal(third.headers.get('content-encoding'), 'gzip');
      const newest = await read('');
      assert.equal(newest.headers.get('cache-control'), 'public, no-cache');
      assert.match(await newest.text(), /"version":3.*Terceira/);
      for (const version of [0, 1, 4])
        assert.equal((await read(`?version=${version}`)).status, 404, `${version}`);
      for (const version of ['?version=-1', '?version=1.5', '?version=x', '?version=99999999999'])
        assert.equal((await read(version)).status, 400, version);

      const anHourAgo = Date.now() - 60 * 60_000;
      await server.database.updateTable('siteVersions').set({ publishedAt: anHourAgo }).execute();
      assert.equal((await read('?version=2')).status, 404);
      assert.equal((await read('?version=3')).status, 200);
      assert.equal((await client.site.getVersion(1)).identity.shortName, 'Primeira');
    });

    it('erases an older version for good, but never the newest', async (t) => {
      const server = await start(t);
      const { client } = await server.join('admin');
      for (const name of ['Primeira', 'Segunda', 'Terceira']) await publishName(client, name);
      await client.site.eraseVersion(2);
      const tag = (await client.site.getDraft()).tag;
      await assert.rejects(client.site.restoreVersion(2, tag), refusedWith('documents/not-found'));
      for (const version of [0, 2, 4])
        await assert.rejects(client.site.eraseVersion(version), refusedWith('documents/not-found'));
      await assert.rejects(client.site.eraseVersion(3), refusedWith('documents/conflict'));
      const read = await fetch(`${server.url + paths.site.content()}?version=2`);
      assert.equal(read.status, 404);
      assert.deepEqual(
        (await client.site.listVersions()).map(({ version }) => version),
        [3, 1],
      );
      assert.equal((await client.site.getVersion(2)).identity.shortName, 'Primeira');
      assert.equal((await client.site.getContent()).identity.shortName, 'Terceira');
      await client.site.eraseVersion(1);
      assert.equal((await client.site.getVersion(2)).identity.shortName, texts.identity.shortName);
    });

    it('lists the newest 200 versions', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const published = { content: '{}', note: '', publishedAt: 1, publishedBy: null };
      const rows = Array.from({ length: 205 }, (_, index) => ({ version: index + 1, ...published }));
      await server.database.insertInto('siteVersions').values(rows).execute();
      const versions = (await site.listVersions()).map(({ version }) => version);
      assert.deepEqual([versions.length, versions[0], versions.at(-1)], [200, 205, 6]);
    });
  });
}

type Problems = { code: string; issues: { path: string }[] };

const social = (url: string): Identity['social'][number] => ({ network: 'Instagram', url });

const changedSections = ({ sections }: { sections: { section: string; changed: boolean }[] }) =>
  sections.filter(({ changed }) => changed).map(({ section }) => section);
