import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { demoContent } from '#clinic/demo-content.ts';
import { type SectionName, type SiteContent, sectionNames } from '#contract/site/content.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { sectionOf, withFields } from '../testing/site-content.ts';

const start = (t: TestContext) => startTestServer(t, 'sqlite', { services: ['auth', 'documents', 'site'] });

type Arrangement = Partial<SiteContent['arrangement']>;

/** Publishes the content of the demo with an arrangement. */
async function publish(server: TestServer, arrangement: Arrangement) {
  const { site } = (await server.join('admin')).client;
  const draft = await site.getDraft();
  const save = <Name extends SectionName>(section: Name) =>
    site.saveSection({ ...sectionOf(draft, section), content: demoContent[section] });
  for (const section of sectionNames) await save(section);
  await site.saveSection(withFields(await site.getDraft(), 'arrangement', arrangement));
  const preview = (await site.createPreview()).path.replace(/\/$/, '');
  const { tag } = await site.getDraft();
  await site.publish(tag, { warningsConfirmed: true });
  return { site, preview };
}

const idsIn = (html: string, ids: string[]) =>
  [...html.matchAll(/id="([\w-]+)"/g)].map(([, id = '']) => id).filter((id) => ids.includes(id));

const homeIds = [
  'cuidado',
  'quem-atende',
  'abordagem',
  'passos',
  'valores',
  'recursos',
  'ouvir',
  'perguntas',
];

describe('the order and the visibility of the parts', { concurrency: true }, () => {
  it('are those of the sample until the clinic changes them', async (t) => {
    const server = await start(t);
    await publish(server, {});
    const home = await (await fetch(server.url)).text();
    assert.deepEqual(idsIn(home, [...homeIds, 'carta', 'contato']), [...homeIds, 'carta', 'contato']);
    const about = await (await fetch(`${server.url}/about`)).text();
    assert.deepEqual(idsIn(about, ['act', 'fap', 'remedio']), ['act', 'fap', 'remedio']);
  });

  it('change the pages, the menu, the structured data, the sent content and the preview', async (t) => {
    const server = await start(t);
    const { preview } = await publish(server, {
      home: {
        order: ['newsletter', 'steps', 'care', 'about', 'listen', 'resources', 'doctor', 'fees', 'faq'],
        hidden: ['doctor', 'fees', 'resources', 'faq'],
      },
      about: { order: ['fap', 'act', 'together'], hidden: ['together'] },
    });
    const { home, about, questions } = demoContent;
    for (const base of [server.url, server.url + preview]) {
      const page = await (await fetch(`${base}/`)).text();
      assert.deepEqual(idsIn(page, [...homeIds, 'carta', 'contato']), [
        'carta',
        'passos',
        'cuidado',
        'abordagem',
        'ouvir',
        'contato',
      ]);
      for (const link of ['#quem-atende', '#valores', '#perguntas']) assert.ok(!page.includes(link), link);
      assert.match(page, /Se você precisa de ajuda agora/);
      assert.doesNotMatch(page, /FAQPage|knowsAbout|hasCredential/);
      const hiddenTexts = [
        home.doctor.way[0],
        home.fees.items[0]?.text,
        home.resources.items[2]?.text,
        questions[0]?.question,
        about.together.paragraphs[0],
      ] as string[];
      const approach = await (await fetch(`${base}/about`)).text();
      assert.deepEqual(idsIn(approach, ['act', 'fap', 'remedio']), ['fap', 'act']);
      const content = await (await fetch(`${server.url}/api/site/content`)).text();
      for (const text of hiddenTexts)
        for (const sent of [page, approach, content]) assert.ok(!sent.includes(text), text);
    }
  });

  it('keep the hidden texts in the draft, and show them again after a restoration', async (t) => {
    const server = await start(t);
    const { site } = await publish(server, {});
    const before = await (await fetch(server.url)).text();
    await site.saveSection(
      withFields(await site.getDraft(), 'arrangement', { home: { order: [], hidden: ['steps'] } }),
    );
    const { tag } = await site.getDraft();
    await site.publish(tag, { warningsConfirmed: true });
    const hidden = await (await fetch(server.url)).text();
    assert.deepEqual(
      idsIn(hidden, homeIds),
      homeIds.filter((id) => id !== 'passos'),
    );
    const draft = await site.getDraft();
    assert.deepEqual(sectionOf(draft, 'home').content, demoContent.home);
    await site.restoreVersion(1, draft.tag);
    await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
    const after = await (await fetch(server.url)).text();
    assert.deepEqual(idsIn(after, homeIds), idsIn(before, homeIds));
  });
});
