import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { demoContent } from '#clinic/demo-content.ts';
import { demoLibrary } from '#clinic/demo-library.ts';
import { texts } from '#clinic/texts.ts';
import type { ActivityInput } from '#contract/activity.ts';
import type { FieldIssue } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { practicePath } from '#contract/practices/path.ts';
import { checkSection } from '#contract/site/checks.ts';
import { type SectionName, type SiteContent, sectionNames } from '#contract/site/content.ts';
import type { HomePart } from '#contract/site/parts.ts';
import { renderedPages } from '#contract/site/public-pages.ts';
import { textsIn } from '#contract/site/sample-values.ts';
import type { ServiceName } from '../app.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { publishName, realIdentity, sectionOf, withFields } from '../testing/site-content.ts';

const services: ServiceName[] = ['auth', 'documents', 'site'];
const publicPages = [...renderedPages, '/nada'];

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
      assert.equal(shortName, texts.identity.shortName);
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
      const { uri } = await client.auth.beginSecondFactor({ password });
      assert.equal(new URL(uri).searchParams.get('issuer'), 'Clínica <Ipê> & Jatobá');
    });

    it('stays on the pages while the database is unavailable', async (t) => {
      const server = await start(t);
      await publishName((await server.join('admin')).client, 'Clínica Ipê');
      await page(server);
      await server.database.destroy();
      for (const path of ['/', '/about', '/login'])
        assert.match(await page(server, path), /Clínica Ipê/, path);
    });

    it('has a video of another site only while its fields are filled in, all of them', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const { title, text, url } = demoContent.practices.externalVideo;
      const save = async (externalVideo: SiteContent['practices']['externalVideo']) =>
        site.saveSection(withFields(await site.getDraft(), 'practices', { externalVideo }));
      for (const filled of [{ title }, { text }, { url }]) {
        const { problems } = await save({ title: '', text: '', url: '', ...filled });
        assert.deepEqual(
          problems.map(({ path }) => path),
          ['title', 'text', 'url'].filter((key) => !(key in filled)).map((key) => `externalVideo.${key}`),
        );
      }
      await save({ title, text, url });
      await publishName((await server.join('admin')).client, 'Ana Prado');
      assert.ok((await page(server, '/practices')).includes(title));
      assert.deepEqual((await save({ title: ' ', text: '', url: '' })).problems, []);
      await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
      const without = await page(server, '/practices');
      assert.ok(!without.includes(title));
      assert.doesNotMatch(without, /href=""/);
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
      // A change of another section of the same draft causes no conflict.
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

    it('lets an editor draft all except what only admins change', async (t) => {
      const server = await start(t);
      const { site: admins } = (await server.join('admin')).client;
      const { site } = (await server.join('editor', 'Edite')).client;
      const { fees, newsletter } = sectionOf(await admins.getDraft(), 'home').content;
      await admins.saveSection(
        withFields(await admins.getDraft(), 'home', { fees: { ...fees, title: 'Da administração' } }),
      );
      const forged = {
        title: 'Da edição',
        fees: { ...fees, title: 'Da edição' },
        newsletter: { ...newsletter, title: 'Novo título', consent: 'Da edição' },
      };
      const home = async () => sectionOf(await site.getDraft(), 'home').content;
      const saved = await site.saveSection(withFields(await site.getDraft(), 'home', forged));
      assert.deepEqual(saved.updatedBy, { name: 'Edite' });
      const edited = await home();
      assert.deepEqual([edited.title, edited.newsletter.title], ['Da edição', 'Novo título']);
      assert.deepEqual(
        [edited.fees.title, edited.newsletter.consent],
        ['Da administração', newsletter.consent],
      );
      await site.discardSection(saved);
      const { title, fees: kept } = await home();
      assert.deepEqual([title, kept.title], [texts.home.title, 'Da administração']);

      await site.saveSection(
        withFields(await site.getDraft(), 'practices', { note: 'Da edição.', countsUse: false }),
      );
      const { note, countsUse } = sectionOf(await site.getDraft(), 'practices').content;
      assert.deepEqual([note, countsUse], ['Da edição.', true]);

      const arrangement = async () => sectionOf(await site.getDraft(), 'arrangement').content;
      const arrange = async (by: typeof site, hidden: HomePart[], confirmed: string[]) => {
        const home = { order: [], hidden };
        return by.saveSection(withFields(await by.getDraft(), 'arrangement', { home, confirmed }));
      };
      const ofAdmins = ['identity', 'privacy', 'home', 'home.fees', 'home.newsletter'];
      const forgedSave = await arrange(site, ['fees', 'newsletter', 'faq'], [...ofAdmins, 'about.act']);
      assert.deepEqual((await arrangement()).home.hidden, ['faq']);
      assert.deepEqual((await arrangement()).confirmed, ['about.act']);
      await site.discardSection(forgedSave);
      await arrange(admins, ['fees', 'faq'], [...ofAdmins, 'about.act']);
      const undone = await arrange(site, [], []);
      assert.deepEqual((await arrangement()).home.hidden, ['fees']);
      assert.deepEqual((await arrangement()).confirmed, ofAdmins);
      await site.discardSection(undone);
      assert.deepEqual((await arrangement()).home.hidden, ['fees']);

      for (const section of ['identity', 'privacy', 'diary'] as const) {
        const one = sectionOf(await site.getDraft(), section);
        await assert.rejects(site.saveSection(one), refusedWith('auth/forbidden'));
        await assert.rejects(site.discardSection(one), refusedWith('auth/forbidden'));
      }
      const { tag } = await site.getDraft();
      await assert.rejects(site.publish(tag, { warningsConfirmed: true }), refusedWith('auth/forbidden'));
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
        ...['shortName', 'doctorName', 'places'].flatMap((field): [unknown, string][] => [
          [{ ...content, [field]: 'Ana\r\nBcc: eu@exemplo.com.br' }, field],
          [{ ...content, [field]: 'a'.repeat(201) }, field],
        ]),
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

    it('shows hostile texts as text, whatever field has them', async (t) => {
      const server = await start(t);
      const { client, email } = await server.join('admin');
      const draft = await client.site.getDraft();
      const kept: string[] = [];
      for (const section of sectionNames) {
        const before = sectionOf(draft, section);
        const valid = { ...demoContent, identity: { ...realIdentity, social: [network] } }[section];
        const made = withHostileTexts(section, valid);
        kept.push(...made.kept);
        await client.site.saveSection({ ...before, content: made.content });
      }
      const patterns =
        /(?:^|\.)(?:profession|rqe|crm|email|whatsapp|timeZone|weekdays\.\d|opens|closes|network|file|dark|audio|updated|id|word|confirmed\.\d+)$/;
      assert.deepEqual(
        kept.filter((path) => !patterns.test(path)),
        [],
      );
      const { version } = await client.site.publish((await client.site.getDraft()).tag, {
        warningsConfirmed: true,
      });
      const practice = await client.documents.createActivity(demoLibrary[0] as ActivityInput);
      for (const path of [...publicPages, practicePath(practice)]) {
        const html = await page(server, path);
        assert.doesNotMatch(html, /<img src=x|<script>alert|<\/script><img/, path);
        assert.match(html, /alert\(1\)/, path);
        for (const [, json = ''] of html.matchAll(/<script type="application\/[^>]*>(.*?)<\/script>/gs))
          assert.ok(JSON.parse(json), path);
        const properties = Object.fromEntries(
          [...html.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)"\/?>/g)].map(
            ([, name = '', value = '']) => [name, decoded(value)],
          ),
        );
        assert.match(decoded(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''), endsWithHostile, path);
        if (html.includes('og:title')) assert.equal(properties['og:site_name'], hostile, path);
        if (path === '/') assert.equal(properties['og:description'], hostile);
      }
      const ofSearch = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await page(server))?.[1];
      const graph = JSON.parse(ofSearch ?? '') as { '@graph': { name?: string }[] };
      assert.equal(graph['@graph'][0]?.name, hostile);
      // Only psychiatrists have this field, and a hostile text has replaced the specialty.
      assert.ok(!('medicalSpecialty' in (graph['@graph'][0] ?? {})));
      const manifest = (await (await fetch(`${server.url}/site.webmanifest`)).json()) as {
        short_name: string;
      };
      assert.equal(manifest.short_name, hostile);
      const image = await fetch(server.url + paths.site.shareImage(version));
      assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png']);
      await server.visitor.client.auth.requestPasswordReset(email);
      const [mail] = (await server.mails()).slice(-1);
      assert.ok(mail);
      assert.ok(mail.subject?.endsWith(hostile));
      assert.equal(mail.from?.name, hostile);
      assert.doesNotMatch(mail.html ?? '', /<img src=x|<\/script><img/);
    });

    it('shows the paragraphs, lists and links of texts', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const draft = await site.getDraft();
      const { content: home } = sectionOf(draft, 'home');
      const text = 'Traga:\n- exames\n- remédios\n\n1) Entre\n2) Sente\nMais em https://www.gov.br/saude.';
      const steps = { ...home.steps, items: [{ title: 'Antes', text }] };
      await site.saveSection(withFields(draft, 'home', { steps }));
      await site.saveSection(withFields(draft, 'identity', realIdentity));
      const questions = sectionOf(draft, 'questions');
      const answers = [{ question: 'O que levar?', answer: [text, 'E calma.\nMuita.'] }];
      await site.saveSection({ ...questions, content: answers });
      await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
      const html = (await page(server)).replaceAll(/ class="[^"]*"|<\/?span>/g, '');
      const shown =
        '<p>Traga:</p><ul><li>exames</li><li>remédios</li></ul><ol start="1"><li>Entre</li><li>Sente</li></ol><p>Mais em <a href="https://www.gov.br/saude" target="_blank" rel="noopener noreferrer">';
      assert.equal(html.split(shown).length, 3);
      assert.match(html, /<p>E calma\.<br\/>Muita\.<\/p>/);
    });
  });
}

const changedSections = ({ sections }: { sections: { section: string; changed: boolean }[] }) =>
  sections.filter(({ changed }) => changed).map(({ section }) => section);

/**
 * Short enough for every field with text but the words of the diary, which no public page shows: three words,
 * at most sixty characters.
 */
const hostile = `</script><img src=x onerror=alert(1)>"'&$&\`\${x}`;
const hostileAddress = `https://x.example/"'><script>alert(1)</script>&$&`;
const endsWithHostile = /<\/script><img src=x onerror=alert\(1\)>"'&\$&`\$\{x\}$/;
const network = { network: 'Instagram' as const, url: 'https://x.example/' };

/**
 * Replaces each string value with a hostile one, unless the checks of the section then find a problem.
 * @returns the content, and in `kept` the paths of the values that were not replaced
 */
function withHostileTexts<Name extends SectionName>(section: Name, content: SiteContent[Name]) {
  const kept: string[] = [];
  let hostileContent = content;
  for (const { path } of textsIn(content)) {
    const next = structuredClone(hostileContent);
    const keys = path.split('.');
    const parent = keys.slice(0, -1).reduce<object>((value, key) => Reflect.get(value, key), next);
    const last = keys.at(-1) ?? '';
    Reflect.set(parent, last, /url|route/.test(last) ? hostileAddress : hostile);
    const { mistakes, problems } = checkSection(section, next);
    if (mistakes.length + problems.length === 0) hostileContent = next;
    else kept.push(path);
  }
  return { content: hostileContent, kept };
}

const entities: Record<string, string> = { amp: '&', quot: '"', '#x27': "'", lt: '<', gt: '>' };
/** Decodes the character references that React and the share tags write. */
const decoded = (html: string) => html.replaceAll(/&([#\w]+);/g, (whole, name) => entities[name] ?? whole);
