import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isOwnDocument,
  isPrivatePage,
  isPublicAudio,
  isPublicPicture,
  nightPathsIn,
  picturesIn,
  publicPageKey,
} from './kept.ts';

const keyOf = (path: string) => publicPageKey(new URL(path, 'https://clinica.com.br'));

describe('what the worker keeps', () => {
  it('are public pages, by what their content depends on', () => {
    assert.equal(keyOf('/?utm_source=carta'), '/');
    assert.equal(keyOf('/about'), '/about');
    assert.equal(keyOf('/practices?necessidade=sono'), '/practices?necessidade=sono');
    // The words after the id are for readers.
    assert.equal(keyOf('/practices/abc123/tres-sons?x=1'), '/practices/abc123');
    for (const path of [
      '/login',
      '/admin',
      '/previa/x/about',
      '/api/documents',
      '/carta/1',
      '/sw.js',
      '/pro',
    ])
      assert.equal(keyOf(path), undefined, path);
  });

  it('is no personal picture and no personal audio', () => {
    for (const path of ['/images/demo/janela.svg', '/files/postImages/mind/a', '/files/site/portrait/a'])
      assert.ok(isPublicPicture(path), path);
    for (const path of ['/files/profilePics/u/a', '/files/moodImages/u/a', '/api/x', '/share/1.png'])
      assert.ok(!isPublicPicture(path), path);
    assert.ok(isPublicAudio('/audio/tres-minutos.mp3') && isPublicAudio('/files/postAudios/mind/a'));
    assert.ok(!isPublicAudio('/files/moodAudios/u/a'));
  });

  it('has one document for the pages that the browser renders, none of them of admins', () => {
    for (const path of [
      '/minha-area',
      '/diario/novo',
      '/semana',
      '/account/dados',
      '/aparelho',
      '/login',
      '/logout',
    ])
      assert.ok(isPrivatePage(path), path);
    for (const path of ['/admin', '/diarios', '/participants', '/previa/x/diario', '/api/auth/sign-out', '/'])
      assert.ok(!isPrivatePage(path), path);
  });

  it('is a whole document whose files are kept, too', () => {
    const files = new Set(['/static/js/site-a.js']);
    const html =
      '<!doctype html><script src="/static/js/site-a.js"></script><script type="application/json" id="content">{}</script></html>\n';
    assert.ok(isOwnDocument(html, files));
    assert.ok(!isOwnDocument(html.slice(0, -20), files));
    assert.ok(!isOwnDocument(html.replace('site-a', 'site-b'), files));
    assert.ok(!isOwnDocument(html.replace('id="content"', 'id="other"'), files));
    assert.ok(!isOwnDocument('<!doctype html><h1>Wi-Fi do hotel</h1></html>', files));
  });

  it('is the path for the night that the HTML names, each practice once', () => {
    const link = (path: string) => `<a class="x" href="${path}">x</a>`;
    const html = `<main>${link('/practices/dia')}<section class="y" id="noite" aria-labelledby="t">${link('/practices/a/sons')}${link('/practices/b')}${link('/practices/b')}${link('tel:188')}</section></main>`;
    assert.deepEqual(nightPathsIn(html), ['/practices/a/sons', '/practices/b']);
    assert.deepEqual(nightPathsIn('<main></main>'), []);
  });

  it('has every public picture of a page in one size', () => {
    const html =
      '<img class="p" src="/files/postImages/mind/a?token=t" srcSet="/files/postImages/mind/a?token=t&amp;width=480 480w"/>' +
      '<img src="/images/demo/mesa.svg"><img src="/files/profilePics/u/a?token=t"><img src="data:image/png,x">';
    assert.deepEqual(picturesIn(html), [
      '/files/postImages/mind/a?token=t&width=960',
      '/images/demo/mesa.svg',
    ]);
  });
});
