import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { olderContent } from '#clinic/older-content.ts';
import { texts } from '#clinic/texts.ts';
import { paths } from '#contract/paths.ts';
import type { SiteDraft } from '#contract/site/draft.ts';
import { documentTag } from '../http/send-document.ts';
import { databaseKinds } from '../testing/databases.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { realIdentity, sectionOf } from '../testing/site-content.ts';

/** Content as an older program stored it. */
const older = olderContent({
  ...texts,
  identity: { ...realIdentity, hours: 'Segunda a sexta, das 9h às 18h' },
  practices: {
    ...texts.practices,
    externalVideo: { ...texts.practices.externalVideo, url: 'https://www.youtube.com/watch?v=00000000000' },
  },
});
const { home, identity, practices } = older;
/** A draft with a problem: its title is empty. The server stores such a draft as it was sent. */
const olderDraft = { ...home, title: '' };

for (const kind of databaseKinds) {
  describe(`content from an older version of this program on ${kind}`, { concurrency: true }, () => {
    async function startWithOlder(t: TestContext, content: object = older) {
      const server = await startTestServer(t, kind, { services: ['auth', 'documents', 'site'] });
      const admin = await server.join('admin');
      const row = { version: 1, content: JSON.stringify(content), note: '', publishedBy: admin.uid };
      await server.database
        .insertInto('siteVersions')
        .values({ ...row, publishedAt: Date.now() })
        .execute();
      await server.database.updateTable('siteState').set({ version: 1 }).execute();
      return { server, admin, site: admin.client.site };
    }

    const saveOlderDraft = ({ database }: TestServer, uid: string) =>
      database
        .insertInto('siteDrafts')
        .values({
          section: 'home',
          content: JSON.stringify(olderDraft),
          updatedAt: Date.now(),
          updatedBy: uid,
        })
        .execute();
    const changed = ({ sections }: SiteDraft) =>
      sections.filter((one) => one.changed).map(({ section }) => section);

    it('is shown, with the new fields empty or with the words that the pages had', async (t) => {
      const { server, site } = await startWithOlder(t);
      const read = async (path: string) => (await fetch(server.url + path)).text();
      const page = await read('/');
      for (const words of [
        'Conheça os seis processos da ACT',
        '<span>Não achou a sua dúvida?</span> <a href="#contato">Escreva para nós</a>',
        'Uma leitura sem jargão, com seis exercícios de um minuto',
        'href="https://www.gov.br/saude/',
        '<span>Segunda a sexta, das 9h às 18h</span>',
      ])
        assert.ok(page.replaceAll('<!-- -->', '').includes(words), words);
      assert.match(await read('/practices'), /Seis lembretes simples para antes de começar\./);
      assert.match(await read('/about'), /<title>A abordagem \| Ana Prado/);
      assert.match(page, /Ana Prado/);
      assert.doesNotMatch(page, /id="valores"|openingHoursSpecification/);
      const content = await server.visitor.client.site.getContent(1, 3);
      assert.deepEqual([content.home.hero.facts, content.identity.schedule.days], [[], []]);
      const draft = await site.getDraft();
      assert.deepEqual(changed(draft), []);
      assert.ok(draft.sections.every(({ problems }) => problems.length === 0));
    });

    it('is served and indexed as before when a rule has become stricter, and the draft names the field', async (t) => {
      const names = { shortName: 'Ana\r\nBcc: eu@exemplo.com.br', doctorName: 'Ana '.repeat(700) };
      const { server, admin, site } = await startWithOlder(t, {
        ...older,
        identity: { ...identity, ...names, crm: 'CRM 123' },
      });
      for (const path of ['/', '/about', '/login', '/site.webmanifest', '/share/1.png']) {
        const response = await fetch(server.url + path);
        assert.equal(response.status, 200, path);
        assert.equal(response.headers.get('x-robots-tag'), null, path);
      }
      await server.visitor.client.auth.requestPasswordReset(admin.email);
      const [mail] = (await server.mails()).slice(-1);
      assert.equal(mail?.bcc, undefined);
      assert.deepEqual(
        mail?.headers.filter(({ key }) => key === 'bcc'),
        [],
      );
      const { problems } = sectionOf(await site.getDraft(), 'identity');
      assert.deepEqual(problems.map(({ path }) => path).sort(), ['crm', 'doctorName', 'shortName']);
    });

    it('can be edited, also in a form that was opened before the update, and published', async (t) => {
      const { server, admin, site } = await startWithOlder(t);
      const saved = await site.saveSection({
        section: 'identity',
        tag: documentTag(identity),
        content: { ...identity, shortName: 'Outra' } as typeof realIdentity,
      });
      assert.equal(saved.changed, true);
      assert.deepEqual((saved.content as typeof realIdentity).schedule.days, []);
      await saveOlderDraft(server, admin.uid);
      const draft = await site.getDraft();
      assert.deepEqual(changed(draft), ['identity', 'home']);
      const opened = sectionOf(draft, 'home');
      assert.deepEqual(opened.content.hero.facts, []);
      assert.deepEqual(
        opened.problems.map(({ path }) => path),
        ['title'],
      );
      const again = await site.saveSection({ ...opened, content: { ...opened.content, title: 'Título' } });
      assert.deepEqual(again.problems, []);
      await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
      const { content } = await server.database
        .selectFrom('siteVersions')
        .select('content')
        .where('version', '=', 2)
        .executeTakeFirstOrThrow();
      assert.deepEqual(JSON.parse(content).home.fees, { title: '', prices: [], paragraphs: [], items: [] });
      assert.match(await (await fetch(server.url)).text(), /<title>Título \| Outra/);
    });

    it('counts as unchanged when it is saved as it was, discarded or restored', async (t) => {
      const { server, admin, site } = await startWithOlder(t);
      const before = await site.getDraft();
      const same = await site.saveSection(sectionOf(before, 'home'));
      assert.equal(same.changed, false);
      const older = await admin.fetch(paths.site.section('home'), {
        method: 'PUT',
        body: JSON.stringify(home),
        headers: { 'content-type': 'application/json', 'if-match': same.tag },
      });
      assert.equal(((await older.json()) as { changed: boolean }).changed, false);
      await saveOlderDraft(server, admin.uid);
      const discarded = await site.discardSection(sectionOf(await site.getDraft(), 'home'));
      assert.equal(discarded.tag, sectionOf(before, 'home').tag);

      const { tag, content } = sectionOf(await site.getDraft(), 'home');
      const facts = ['Adultos'];
      const edited = { ...content, hero: { ...content.hero, facts } };
      await site.saveSection({ section: 'home', tag, content: edited });
      await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
      // The tags of other sections do not change, so that forms opened before the publication can be saved.
      assert.equal(sectionOf(await site.getDraft(), 'identity').tag, sectionOf(before, 'identity').tag);
      await site.restoreVersion(1, (await site.getDraft()).tag);
      const restored = await site.getDraft();
      assert.deepEqual(changed(restored), ['home']);
      assert.deepEqual(sectionOf(restored, 'home').content.hero.facts, []);
    });

    it('of a newer version is shown, edited and published without the section that only it knows', async (t) => {
      const newer = { ...texts, identity: realIdentity, practices, novidades: { title: 'Novidades' } };
      const { server, admin, site } = await startWithOlder(t, newer);
      await server.database
        .insertInto('siteDrafts')
        .values({ section: 'novidades', content: '{}', updatedAt: 1, updatedBy: admin.uid } as never)
        .execute();
      for (const path of ['/', '/about', '/practices', '/privacidade', '/login', '/site.webmanifest'])
        assert.equal((await fetch(server.url + path)).status, 200, path);
      const draft = await site.getDraft();
      assert.deepEqual(changed(draft), []);
      const identity = sectionOf(draft, 'identity');
      await site.saveSection({ ...identity, content: { ...identity.content, shortName: 'Outra' } });
      const { version } = await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
      const published = await server.visitor.client.site.getContent(version, 3);
      assert.equal(published.identity.shortName, 'Outra');
      assert.deepEqual(Object.keys(published).sort(), Object.keys(texts).sort());
    });
  });
}
