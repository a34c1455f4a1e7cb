import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { digestsOf, publishWithFiles, runSite, start, temporaryFolder } from './testing.ts';

it('npm run site moves the content from the data folder to S3 and the same bytes back', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const settings = s3Environment(swift);
  const [onDisk, onS3] = [await start(t), await start(t, 'sqlite', settings)];
  await publishWithFiles(await onDisk.join('admin'));
  await onS3.join('admin');
  const folder = await temporaryFolder(t);
  assert.equal((await runSite(onDisk, 'export', join(folder, 'um'))).code, 0);
  const placeOnS3 = { ...onS3, settings };
  const imported = await runSite(placeOnS3, 'import', join(folder, 'um/site.json'), '--publish');
  assert.equal(imported.code, 0, imported.output);
  const { home } = await onS3.visitor.client.site.getContent();
  assert.equal((await fetch(onS3.url + home.hero.portrait.file)).status, 200);
  assert.equal((await runSite(placeOnS3, 'export', join(folder, 'dois'))).code, 0);
  assert.deepEqual(await digestsOf(join(folder, 'dois')), await digestsOf(join(folder, 'um')));

  await swift.stop();
  const away = await runSite(placeOnS3, 'export', join(folder, 'tres'));
  assert.equal(away.code, 1);
  assert.match(away.output, /O serviço está indisponível agora\./);
  assert.deepEqual((await readdir(folder)).sort(), ['dois', 'um']);

  const lost = await runSite({ ...onS3, settings: {} }, 'export', join(folder, 'tres'));
  assert.match(lost.output, /estão no S3, e faltam as variáveis S3_\*/);
  assert.deepEqual((await readdir(folder)).sort(), ['dois', 'um']);
});
