import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { axes, listOf, mainAxisOf } from './axes.ts';
import { email, newPassword } from './credentials.ts';
import { paths } from './paths.ts';
import { videoIdOf } from './video.ts';

describe('video id', () => {
  const found = [
    'https://www.youtube.com/watch?v=abcDEF12_-9',
    'https://youtube.com/watch?app=desktop&v=abcDEF12_-9&t=30s',
    'http://m.youtube.com/watch?v=abcDEF12_-9#t=3',
    'https://music.youtube.com/watch?v=abcDEF12_-9&list=x',
    'https://youtu.be/abcDEF12_-9',
    'https://youtu.be/abcDEF12_-9?si=xyz',
    'https://www.youtube.com/embed/abcDEF12_-9',
    'https://www.youtube-nocookie.com/embed/abcDEF12_-9?rel=0',
    'https://www.youtube.com/shorts/abcDEF12_-9',
    'https://www.youtube.com/live/abcDEF12_-9?feature=share',
    '  https://youtu.be/abcDEF12_-9  ',
  ];
  for (const link of found) it(`is in ${link}`, () => assert.equal(videoIdOf(link), 'abcDEF12_-9'));

  const missing = [
    '',
    'abcDEF12_-9',
    'https://www.youtube.com/watch?v=curto',
    'https://www.youtube.com/watch?v=longodemais12',
    'https://www.youtube.com/watch?v=abcDEF12_-!',
    'https://www.youtube.com/@canal',
    'https://www.youtube.com/playlist?list=abcDEF12_-9',
    'https://youtu.be/',
    'https://vimeo.com/abcDEF12_-9',
    'https://exemplo.com.br/watch?v=abcDEF12_-9',
    'https://youtube.com.exemplo.com.br/watch?v=abcDEF12_-9',
    'https://notyoutube.com/watch?v=abcDEF12_-9',
    'javascript:alert(1)//youtube.com/watch?v=abcDEF12_-9',
  ];
  for (const link of missing) it(`is not in "${link}"`, () => assert.equal(videoIdOf(link), undefined));
});

describe('axes', () => {
  it('put family, career and fun into the list of values', () => {
    assert.deepEqual(axes.map(mainAxisOf), ['mind', 'move', 'nutri', 'values', 'values', 'values', 'values']);
    assert.equal(listOf('fun'), 'valuesActsList');
    assert.equal(listOf('mind'), 'mindActsList');
  });
});

describe('credentials', () => {
  it('accept a password of 8 to 128 letters and digits, without trimming or case folding', () => {
    for (const password of ['abcdEFG8', '12345678', 'a'.repeat(128)])
      assert.equal(newPassword.parse(password), password);
    for (const password of [
      'abcde12',
      'a'.repeat(129),
      'com espaço 1',
      ' abcdefgh',
      'ação12345',
      'a1b2c3d4!',
      '',
    ]) {
      assert.equal(newPassword.safeParse(password).success, false, password);
    }
  });

  it('accept an email address, and reject everything else with the message of the specification', () => {
    for (const address of ['a@b.co', 'ana.lucia+site@exemplo.com.br'])
      assert.equal(email.parse(address), address);
    for (const address of [
      '',
      'ana',
      'ana@',
      '@exemplo.com.br',
      'ana@exemplo',
      'a b@c.de',
      `${'a'.repeat(250)}@b.co`,
    ]) {
      assert.equal(email.safeParse(address).error?.issues[0]?.message, 'Preencha um email válido.', address);
    }
  });
});

test('a path contains its parameters, encoded', () => {
  assert.equal(
    paths.documents.activityRestore('mindActsList', 'a/b:c d'),
    '/api/documents/activities/mindActsList/items/a%2Fb%3Ac%20d/restore',
  );
});
