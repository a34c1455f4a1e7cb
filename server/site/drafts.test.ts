import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { FieldIssue } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import type { SectionName } from '#contract/site/content.ts';
import type { ServiceName } from '../app.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { publishName, realIdentity, sectionOf, withFields } from '../testing/site-content.ts';

const services: ServiceName[] = ['auth', 'documents', 'site'];
const publicPages = ['/', '/about', '/practices', '/privacidade', '/login', '/register', '/nada'];

for (const kind of databaseKinds) {
  describe(`the site's content on ${kind}`, { concurrency: true }, () => {
    const start = (t: TestContext) => startTestServer(t, kind, { services });
    const page = async ({ url }: Pick<TestServer, 'url'>, path = '/') => (await fetch(url + path)).text();

    it('is the sample content until an admin publishes', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const draft = await site.getDraft();
      assert.equal(draft.version, 0);
      assert.ok(draft.sections.every(({ changed }) => !changed));
      assert.deepEqual(await site.listVersions(), []);
      const { shortName } = (await server.visitor.client.site.getContent()).identity;
      assert.match(await page(server), new RegExp(`<title>[^<]*${shortName}`));
    });

    it('changes on every page with the next request of every instance', async (t) => {
      const server = await start(t);
      const twin = await server.twin();
      const admin = await server.join('admin');
      for (const path of publicPages) await page(twin, path);
      const tagBefore = (await fetch(`${twin.url}/`)).headers.get('etag') ?? '';
      assert.equal(await publishName(admin.client, 'Clínica Ipê'), 1);
      for (const path of publicPages)
        for (const one of [twin, server])
          assert.match(await page(one, path), /<title>[^<]*Clínica Ipê<\/title>/, path);
      const after = await fetch(`${twin.url}/`, { headers: { 'if-none-match': tagBefore } });
      assert.equal(after.status, 200);
      const manifest = (await (await fetch(`${twin.url}/site.webmanifest`)).json()) as { short_name: string };
      assert.equal(manifest.short_name, 'Clínica Ipê');
      assert.equal((await server.visitor.client.site.getContent()).identity.shortName, 'Clínica Ipê');
    });

    it('names the clinic in mails and in authenticator apps', async (t) => {
      const server = await start(t);
      const { client, email, password } = await server.join('admin');
      await publishName(client, 'Clínica <Ipê> & Jatobá');
      await server.visitor.client.auth.requestPasswordReset(email);
      const mails = await server.mails();
      assert.ok(mails.some(({ subject = '' }) => subject.endsWith(' · Clínica <Ipê> & Jatobá')));
      assert.ok(mails.some(({ html = '' }) => html.includes('Clínica &lt;Ipê&gt; &amp; Jatobá')));
      assert.ok(mails.every(({ html = '' }) => !html.includes('<Ipê>')));
      const { uri } = await client.auth.beginSecondFactor(password);
      assert.equal(new URL(uri).searchParams.get('issuer'), 'Clínica <Ipê> & Jatobá');
    });

    it('stays on the pages while the database is away', async (t) => {
      const server = await start(t);
      await publishName((await server.join('admin')).client, 'Clínica Ipê');
      await page(server);
      await server.database.destroy();
      for (const path of ['/', '/about', '/login'])
        assert.match(await page(server, path), /Clínica Ipê/, path);
    });

    it('stays hidden while it is a draft', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const saved = await site.saveSection(
        withFields(await site.getDraft(), 'identity', { shortName: 'Segredo' }),
      );
      assert.equal(saved.changed, true);
      assert.deepEqual(saved.updatedBy, { name: 'Ana Lúcia' });
      for (const path of publicPages) assert.doesNotMatch(await page(server, path), /Segredo/, path);
      assert.doesNotMatch(await page(server, paths.site.content()), /Segredo/);
    });

    it('keeps both versions when two admins edit a section', async (t) => {
      const server = await start(t);
      const first = (await server.join('admin', 'Bia')).client.site;
      const second = (await server.join('admin', 'Caio')).client.site;
      const draft = await first.getDraft();
      await first.saveSection(withFields(draft, 'identity', { shortName: 'De Bia' }));
      const late = second.saveSection(withFields(draft, 'identity', { shortName: 'De Caio' }));
      await assert.rejects(late, (error: { code: string; current: unknown; changedBy: unknown }) => {
        assert.equal(error.code, 'documents/precondition-failed');
        assert.equal((error.current as { content: { shortName: string } }).content.shortName, 'De Bia');
        assert.deepEqual(error.changedBy, { name: 'Bia' });
        return true;
      });
      // Another section of the same draft is no conflict.
      await second.saveSection(withFields(draft, 'practices', { note: 'De Caio.' }));
      const both = await first.getDraft();
      assert.deepEqual(changedSections(both), ['identity', 'practices']);
    });

    it('lets exactly one of many concurrent saves of a section win', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const draft = await site.getDraft();
      const saves = Array.from({ length: 8 }, (_, number) =>
        site.saveSection(withFields(draft, 'identity', { shortName: `Nome ${number}` })),
      );
      const results = await Promise.allSettled(saves);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    it('returns to the published section when the draft is discarded, or saved as it was', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const draft = await site.getDraft();
      const saved = await site.saveSection(withFields(draft, 'identity', { shortName: 'Outro' }));
      const discarded = await site.discardSection(saved);
      assert.deepEqual(discarded, sectionOf(draft, 'identity'));
      await assert.rejects(site.discardSection(saved), refusedWith('documents/precondition-failed'));
      const again = await site.saveSection({ ...saved, tag: discarded.tag });
      const back = await site.saveSection({ ...discarded, tag: again.tag });
      assert.equal(back.changed, false);
    });

    it('refuses sections with another structure, too many items or forbidden characters', async (t) => {
      const server = await start(t);
      const admin = await server.join('admin');
      const { tag, content } = sectionOf(await admin.client.site.getDraft(), 'identity');
      const put = (section: string, body: unknown) =>
        admin.fetch(paths.site.section(section as SectionName), {
          method: 'PUT',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'if-match': tag },
        });
      const wrong: [body: unknown, ...paths: string[]][] = [
        ...([null, [], 'texto'] as unknown[]).map((body): [unknown, string] => [body, '']),
        [{}, ...Object.keys(content).filter((field) => field !== 'schedule')],
        [{ ...content, extra: 'sim' }, ''],
        [{ ...content, shortName: 3 }, 'shortName'],
        [{ ...content, shortName: 'a\u0000b' }, 'shortName'],
        [{ ...content, shortName: '\ud800' }, 'shortName'],
        [{ ...content, shortName: 'a'.repeat(3_001) }, 'shortName'],
        [{ ...content, address: Array.from({ length: 51 }, () => 'Rua') }, 'address'],
        [{ ...content, address: ['Rua', 3] }, 'address.1'],
        [{ ...content, social: [{ network: 'Outra', url: 'https://exemplo.com.br' }] }, 'social.0.network'],
        [{ ...content, privacyContact: { ...content.privacyContact, admin: true } }, 'privacyContact'],
      ];
      for (const [body, ...paths] of wrong) {
        const response = await put('identity', body);
        assert.equal(response.status, 400, JSON.stringify(body).slice(0, 80));
        const { code, issues } = (await response.json()) as { code: string; issues: FieldIssue[] };
        assert.equal(code, 'request/invalid');
        assert.deepEqual(
          issues.map(({ path }) => path),
          paths,
        );
        for (const { message } of issues) assert.notEqual(message, '');
      }
      for (const section of ['nada', '__proto__', 'constructor', 'toString'])
        assert.equal((await put(section, content)).status, 404, section);
      assert.deepEqual(changedSections(await admin.client.site.getDraft()), []);
    });

    it('shows hostile texts as text', async (t) => {
      const server = await start(t);
      const { client } = await server.join('admin');
      const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&$&$\`\${x}`;
      const draft = await client.site.getDraft();
      await client.site.saveSection(
        withFields(draft, 'identity', {
          ...realIdentity,
          shortName: hostile,
          doctorName: hostile,
          places: hostile,
        }),
      );
      const { content: home } = sectionOf(draft, 'home');
      await client.site.saveSection(
        withFields(draft, 'home', {
          title: hostile,
          description: hostile,
          hero: { ...home.hero, lead: hostile },
        }),
      );
      const questions = sectionOf(draft, 'questions');
      const [first, ...others] = questions.content;
      assert.ok(first);
      await client.site.saveSection({
        ...questions,
        content: [{ question: hostile, answer: [hostile] }, ...others],
      });
      await client.site.publish((await client.site.getDraft()).tag, { warningsConfirmed: true });
      for (const path of publicPages) {
        const html = await page(server, path);
        assert.doesNotMatch(html, /<script>|<img src=x/, path);
        assert.match(html, /alert\(1\)/, path);
        for (const [, json = ''] of html.matchAll(/<script type="application\/[^>]*>(.*?)<\/script>/gs))
          assert.ok(JSON.parse(json), path);
      }
      const ofSearch = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await page(server))?.[1];
      const graph = JSON.parse(ofSearch ?? '') as { '@graph': { name?: string }[] };
      assert.equal(graph['@graph'][0]?.name, hostile);
    });
  });
}

const changedSections = ({ sections }: { sections: { section: string; changed: boolean }[] }) =>
  sections.filter(({ changed }) => changed).map(({ section }) => section);
