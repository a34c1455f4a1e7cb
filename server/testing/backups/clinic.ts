import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { defaultPasswordCost } from '../../auth/passwords/scrypt.ts';
import type { DatabaseKind } from '../../database/connect.ts';
import type { Environment } from '../../environment.ts';
import { codeOf } from '../authenticator.ts';
import { photo } from '../pictures.ts';
import { sampleActivity } from '../samples.ts';
import { startTestServer, visitorAt } from '../server.ts';
import { startServerProcess } from '../server-process.ts';
import { publishName } from '../site-content.ts';
import { mp3, storageOf } from '../storage.ts';
import { type BackupPlace, backUpServer, createBackupPlace, restoreInto } from './backups.ts';

type ClinicOptions = {
  audioBytes?: number;
  /** Adds pictures of the activity and of the patient. */
  pictures?: boolean;
  /** True if users sign in on a real server after the restore. It accepts only hashes of the usual cost. */
  isRestored?: boolean;
};

/** Starts a server with every kind of data that a backup must keep. */
export async function startClinic(
  t: TestContext,
  kind: DatabaseKind,
  { audioBytes = 20_000, pictures = false, isRestored = false }: ClinicOptions = {},
) {
  const server = await startTestServer(t, kind, isRestored ? { passwordCost: defaultPasswordCost } : {});
  const [admin, patient] = [await server.join('admin'), await server.join()];
  const { uri } = await admin.client.auth.beginSecondFactor({ password: admin.password });
  await admin.client.auth.confirmSecondFactor(codeOf(uri));
  const storage = storageOf(admin);
  const audio = mp3(audioBytes);
  assert.equal((await storage.upload('postAudios/mind/respirar', audio, 4_000_000)).status, 204);
  let image = '';
  if (pictures) {
    assert.equal((await storage.upload('postImages/mind/rio', await photo(500, 300))).status, 204);
    image = await storage.url('postImages/mind/rio');
    const picture = `profilePics/${patient.uid}/foto`;
    assert.equal((await storageOf(patient).upload(picture, await photo(100, 100))).status, 204);
  }
  const activity = await admin.client.documents.createActivity(
    sampleActivity({ image, audio: await storage.url('postAudios/mind/respirar') }),
  );
  await patient.client.documents.keepFavourite(activity.id);
  await publishName(admin.client, 'Ana Prado');
  await publishName(admin.client, 'Clínica Prado');
  return { server, admin, patient, uri, activity, audio };
}
type Clinic = Awaited<ReturnType<typeof startClinic>>;

/** Starts a server like `startClinic`, and makes one backup. */
export async function backedUpClinic(t: TestContext, kind: DatabaseKind, options?: ClinicOptions) {
  const clinic = await startClinic(t, kind, options);
  const place = await createBackupPlace(t);
  await backUpServer(clinic.server, place);
  return { ...clinic, place };
}

export const credentialsOf = ({ email, password }: Clinic['patient']) => ({ email, password });

/** Restores the newest backup into `target`, starts a real server there, and checks that the data is back. */
export async function requireWorking(
  t: TestContext,
  clinic: Clinic,
  place: BackupPlace,
  target: Environment,
) {
  const { server, admin, patient, uri, activity, audio } = clinic;
  const { dangling } = await restoreInto(target, place);
  assert.deepEqual(dangling, []);
  await withServer(t, target, async (url) => {
    const patientAgain = visitorAt(url, url).client;
    await patientAgain.auth.signIn(credentialsOf(patient));
    const { documents } = await patientAgain.documents.getFavourites();
    assert.deepEqual(
      documents.map(({ id }) => id),
      [activity.id],
    );
    const adminAgain = visitorAt(url, url).client;
    assert.equal(await adminAgain.auth.signIn(credentialsOf(admin)), 'second-factor');
    await adminAgain.auth.finishSignIn(codeOf(uri, 1));
    const found = await adminAgain.documents.findActivity(activity);
    // Ignores the length of the audio, which the server computes when it has time.
    assert.deepEqual({ ...found, audioSeconds: null }, { ...activity, audioSeconds: null });
    for (const file of [activity.audio, activity.image].filter((url) => url !== ''))
      assert.deepEqual(
        await (await fetch(url + file)).bytes(),
        await (await fetch(server.url + file)).bytes(),
        file,
      );
    assert.deepEqual(Buffer.from(await (await fetch(url + activity.audio)).bytes()), Buffer.from(audio));
    assert.match(await (await fetch(url)).text(), /Clínica Prado/);
    assert.deepEqual(await adminAgain.site.listVersions(), await admin.client.site.listVersions());
    const records = await readdir(path.join(target.dataDir, 'usage-records'));
    assert.ok(records.length > 0);
  });
}

/** Starts a real server on a restored installation, works with it, and stops it. */
export async function withServer(
  t: TestContext,
  { dataDir, databaseUrl }: Environment,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const variables: Record<string, string> =
    databaseUrl === undefined
      ? {}
      : {
          DATABASE_URL: databaseUrl,
          AUTH_SECRET: await readFile(path.join(dataDir, 'auth-secret'), 'utf8'),
        };
  const started = await startServerProcess(dataDir, variables);
  t.after(() => started.kill());
  await work(started.url);
  await started.stop();
}
