import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { activityInput } from './activity.ts';
import { axes, listOf, mainAxisOf } from './axes.ts';
import { displayName, email, newPassword, passwordRules } from './credentials.ts';
import { paths } from './paths.ts';
import { practiceChoiceIn, practicesPath } from './practices/choice.ts';
import { descriptionOf, excerptOf, isCut } from './practices/excerpt.ts';
import { isDeclaredAs } from './storage.ts';
import { adminUserPatch, age, ownUserPatch } from './user.ts';
import { videoEmbedUrl, videoIdOf, videoOf, videoWatchUrl } from './video.ts';

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
    'https://www.youtu.be/abcDEF12_-9',
    'https://www.youtube.com/watch?v=abcDEF12_-9?si=x',
    'https://youtu.be/abcDEF12_-9&t=30',
    'https://youtu.be/abcDEF12_-9.',
    'https://www.youtube.com/e/abcDEF12_-9',
    'https://www.youtube.com/watch/abcDEF12_-9',
    'https://youtube.com/watch?list=x&v=abcDEF12_-9',
    'https://m.youtube.com/shorts/abcDEF12_-9?feature=share',
    'youtube.com/watch?v=abcDEF12_-9',
    'youtu.be/abcDEF12_-9',
    'Veja este vídeo: https://youtu.be/abcDEF12_-9?si=x (de manhã)',
    '<iframe width="560" src="https://www.youtube.com/embed/abcDEF12_-9?si=x&amp;start=30" title="a"></iframe>',
    "<iframe src='//www.youtube-nocookie.com/embed/abcDEF12_-9'>",
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
    'javascript:alert("https://youtu.be/curto")',
    'https://www.youtube.com/abcDEF12_-9',
    'notyoutu.be/abcDEF12_-9',
    '<iframe src="https://vimeo.com/embed/abcDEF12_-9"></iframe>',
  ];
  for (const link of missing) it(`is not in "${link}"`, () => assert.equal(videoIdOf(link), undefined));

  it('comes with the start time', () => {
    for (const [query, seconds] of [
      ['?t=90', 90],
      ['?si=x&t=90s', 90],
      ['&t=1m30s', 90],
      ['?t=1h2m3s', 3_723],
      ['#t=3m', 180],
      ['?start=30', 30],
      ['?time_continue=5', 5],
      ['?si=t=9', 0],
      ['?t=x', 0],
    ] as const)
      assert.equal(videoOf(`https://youtu.be/abcDEF12_-9${query}`)?.startSeconds, seconds, query);
    const video = { id: 'abcDEF12_-9', startSeconds: 90 };
    assert.deepEqual(videoOf(videoWatchUrl(video)), video);
    assert.deepEqual(videoOf(videoEmbedUrl(video)), video);
  });

  it('is kept in the link of a practice, whatever was pasted', () => {
    const linkOf = (url: string) => activityInput.shape.url.parse(url);
    assert.equal(linkOf(' gov.br/saude '), 'https://gov.br/saude');
    assert.equal(linkOf(' https://youtu.be/abcDEF12_-9?t=90 '), 'https://youtu.be/abcDEF12_-9?t=90');
    assert.equal(
      linkOf('<iframe src="https://www.youtube.com/embed/abcDEF12_-9?rel=0&amp;start=9"></iframe>'),
      'https://www.youtube.com/embed/abcDEF12_-9?rel=0&start=9',
    );
    assert.equal(linkOf('youtu.be/abcDEF12_-9'), 'https://youtu.be/abcDEF12_-9');
    for (const text of ['<iframe src="https://a.br"></iframe>', 'javascript:alert(1)'])
      assert.equal(activityInput.shape.url.safeParse(text).success, false, text);
  });
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

  it('accept every password that the rules for password managers allow', () => {
    const allowed = {
      lower: 'abcdefghijklmnopqrstuvwxyz',
      upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      digit: '0123456789',
    };
    const rules = new Map(
      passwordRules
        .split(/; ?/)
        .filter(Boolean)
        .map((rule): [string, string] => {
          const [name = '', value = ''] = rule.split(': ');
          return [name === 'required' || name === 'allowed' ? value : name, value];
        }),
    );
    assert.deepEqual([...rules.keys()].sort(), ['digit', 'lower', 'maxlength', 'minlength', 'upper']);
    for (const characters of Object.values(allowed))
      for (const length of ['minlength', 'maxlength'])
        for (const character of characters) newPassword.parse(character.repeat(Number(rules.get(length))));
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

  it('write the domain of an email address in ASCII, as mail servers do', () => {
    const clinic = 'ana@xn--clnica-4va.com.br';
    for (const address of ['ana@clínica.com.br', 'ana@CLÍNICA.com.br', 'ana@cli\u0301nica。com.br', clinic])
      assert.equal(email.parse(address), clinic);
    assert.equal(email.parse('Ana@Exemplo.com.br'), 'Ana@Exemplo.com.br');
    for (const address of [
      'josé@exemplo.com.br',
      'ana@clínica',
      'ana@clínica.com.br:25',
      'ana@clínica.com.br/x',
      'ana@x@clínica.com.br',
      'ana@clí nica.com.br',
    ])
      assert.ok(!email.safeParse(address).success, address);
  });
});

test('a name has no characters that change the direction of the text around it', () => {
  for (const name of ['\u202eanA', 'Ana \u2066', 'Ana\u202c'])
    assert.ok(!displayName.safeParse(name).success, name);
});

describe('text that users read', () => {
  const codePoints = [
    ...[
      0x20, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x2003, 0x2028, 0x2060, 0x2064, 0x2800,
    ],
    ...[
      0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202e, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0x1d159,
      0xe0020,
    ],
  ];
  const isRefused = (field: string, text: string) => {
    const { success, error } = {
      displayName: displayName.safeParse(text),
      title: activityInput.shape.title.safeParse(text),
      content: activityInput.shape.content.safeParse(text),
      category: adminUserPatch.safeParse({ category: text }),
    }[field] ?? { success: true };
    if (!success)
      assert.deepEqual(
        error?.issues.map(({ message }) => message),
        [field === 'displayName' ? 'You need a first name' : 'Preencha este campo.'],
        field,
      );
    return !success;
  };

  for (const field of ['displayName', 'title', 'content', 'category'])
    it(`is refused when ${field} has only invisible characters`, () => {
      assert.ok(isRefused(field, ''));
      for (const code of codePoints) {
        const blank = String.fromCodePoint(code);
        assert.ok(isRefused(field, blank), `U+${code.toString(16)}`);
        assert.ok(isRefused(field, `${blank} ${blank}`), `U+${code.toString(16)}`);
      }
      for (const text of ['Ana', '李', 'عمر', '👩🏽‍⚕️', `\u200b1\u200b`, 'नी'])
        assert.ok(!isRefused(field, text), text);
    });
});

describe('the URL of a picture or a sound', () => {
  const accepted = {
    image: ['', '/files/postImages/mind/a?token=b', '/images/família.png', 'https://exemplo.com.br/api'],
    audio: [
      '',
      '/files/postAudios/mind/a?token=b',
      '/audio/tres-minutos.mp3',
      'https://exemplo.com.br/a.mp3',
    ],
    profilePic: ['/files/profilePics/a/b?token=c', 'https://lh3.googleusercontent.com/a/b=s96-c'],
  };
  const refused = [
    '/api/documents/users.csv',
    '/files/../api/documents/users.csv',
    '/files/%2e%2e/api/documents/users.csv',
    '/images/./../api/documents/users.csv',
    '/audio/%2E./api/documents/users.csv',
    'https://exemplo.com.br/api/documents/users.csv',
    'https://exemplo.com.br/a/../api/documents/users.csv',
    '/logout',
    '/',
    'files/a',
    '//outro.com.br/files/a',
    '/\\outro.com.br/files/a',
    '/files/a b',
    'http://exemplo.com.br/a.png',
    'https://',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
  ];
  const parse = (field: string, url: string) =>
    field === 'profilePic'
      ? ownUserPatch.safeParse({ profilePic: url })
      : activityInput.shape[field as 'image'].safeParse(url);
  for (const [field, urls] of Object.entries(accepted))
    it(`of ${field} is a file of the site or an https URL, and never of the API`, () => {
      for (const url of urls) assert.ok(parse(field, url).success, url);
      for (const url of refused)
        assert.deepEqual(
          parse(field, url).error?.issues.map(({ message }) => message),
          ['Use um endereço que comece com https://.'],
          url,
        );
    });
});

test('an age has only digits', () => {
  for (const text of ['7', '42', '042']) assert.equal(age.parse(text), text);
  for (const text of ['', '-1', '4.2', '42 anos', '٤٢', ' 42'])
    assert.equal(age.safeParse(text).error?.issues[0]?.message, 'A idade precisa ter apenas números.', text);
});

test('a path contains its parameters, encoded', () => {
  assert.equal(
    paths.documents.activityRestore('mindActsList', 'a/b:c d'),
    '/api/documents/activities/mindActsList/items/a%2Fb%3Ac%20d/restore',
  );
});

describe('the beginning of a text', () => {
  it('has whole words and at most 160 characters, with the ellipsis', () => {
    const text = 'Note o ar que entra, e o ar que sai. '.repeat(10);
    const excerpt = excerptOf(text);
    assert.ok(excerpt.length <= 160 && excerpt.length > 150, excerpt);
    assert.ok(text.startsWith(excerpt.slice(0, -1)));
    assert.match(excerpt, /\p{L}…$/u);
    assert.ok(isCut(excerpt));
    for (const length of [159, 160]) assert.equal(excerptOf(`${'a'.repeat(length - 2)} b`).length, length);
    assert.equal(excerptOf(`${'a'.repeat(159)} b`), `${'a'.repeat(159)}…`);
  });

  it('is the whole text if the text is short, with its lines', () => {
    const text = 'Sente.\n\n- Note um som';
    assert.equal(excerptOf(`\n ${text}\n`), text);
    assert.ok(!isCut(text));
  });

  it('of one long word ends inside the word, but not inside a character', () => {
    assert.equal(excerptOf('a'.repeat(200)), `${'a'.repeat(159)}…`);
    assert.equal(excerptOf(`a${'😀'.repeat(100)}`), `a${'😀'.repeat(79)}…`);
    assert.equal(excerptOf('😀'.repeat(100)), `${'😀'.repeat(79)}…`);
  });

  it('is on one line for search engines', () => {
    assert.equal(descriptionOf('Note.\n\n- Um som\t longe '), 'Note. - Um som longe');
  });
});

test('the choice of practices in a URL has one value for everything invalid', () => {
  const needs = [{ id: 'sono', name: 'Dormir' }];
  const choiceIn = (query: string) => practiceChoiceIn(new URLSearchParams(query), needs);
  for (const query of [
    '',
    'pagina=0',
    'pagina=-2',
    'pagina=1.5',
    'pagina=01',
    'pagina=1e3',
    'pagina=%F0',
    'eixo=x&necessidade=Dormir&tempo=4&ordem=z',
    'q=%20%00%E2%80%8B%20',
  ])
    assert.deepEqual(choiceIn(query), choiceIn('pagina=1'), query);
  assert.equal(practicesPath(choiceIn('')), '/practices');
  const path = '/practices?eixo=move&necessidade=sono&q=n%C3%A3o+durmo&tempo=10&ordem=novas&pagina=12';
  assert.equal(practicesPath(choiceIn(path.split('?')[1] ?? '')), path);
  assert.equal(choiceIn(`q=${'x'.repeat(5_000)}`).search.length, 100);
  assert.equal(choiceIn(`pagina=${'9'.repeat(5_000)}`).page, 1_000_000);
});

test('the types that browsers name for files are accepted for their kind, whatever the content is', () => {
  const sounds = [
    'audio/vnd.dlna.adts',
    'audio/mpg',
    'video/mp4',
    'application/ogg',
    'Audio/OGG; codecs=opus',
  ];
  for (const type of [...sounds, '', 'application/octet-stream'])
    assert.ok(isDeclaredAs('audio', type), `audio: ${type}`);
  for (const type of ['image/jpg', 'image/heic', ''])
    assert.ok(isDeclaredAs('image', type), `image: ${type}`);
  for (const type of ['text/html', 'application/pdf', 'image/png', 'xaudio/mpeg'])
    assert.ok(!isDeclaredAs('audio', type), type);
  for (const type of ['text/html', 'video/mp4']) assert.ok(!isDeclaredAs('profile-picture', type), type);
});
