import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { dayInBrasilia } from '#contract/calendar.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import { createTestDatabase, databaseKinds } from '../testing/databases.ts';
import { beginDiary } from '../testing/diaries.ts';
import { startAgain } from '../testing/moves.ts';
import { signUpAdmins } from '../testing/recorded-writes.ts';

const canary = 'canario-verde-do-diario';

for (const kind of databaseKinds)
  it(`keeps an entry whose response arrived before SIGKILL, and leaves no word of it outside, on ${kind}`, async (t) => {
    const { dataDir, databaseUrl, remove } = await createTestDatabase(kind);
    t.after(remove);
    const settings = { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
    let server = await startAgain(t, settings);
    const { port } = server;
    const [patient] = await signUpAdmins(server.url, server.firstAdminPath(), 1);
    assert.ok(patient);
    const diary = await beginDiary(patient.client);
    const day = dayInBrasilia(Date.now());
    const written: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const id = randomUUID();
      await diary.change(id, {
        ...{ change: randomUUID(), day, zone: 'America/Sao_Paulo', words: { add: [canary], remove: [] } },
        ...{ note: { base: 0, text: canary }, toward: { axis: 'fun', words: canary } },
      });
      written.push(id);
      await server.kill();
      // Everything in the data folder: the database, its write-ahead log, usage records, security events.
      for (const file of await readdir(dataDir, { recursive: true, withFileTypes: true }))
        if (file.isFile())
          assert.ok(!(await readFile(path.join(file.parentPath, file.name))).includes(canary), file.name);
      assert.ok(!server.log().includes(canary));
      server = await startAgain(t, { ...settings, PORT: port });
      const { entries } = await diary.days();
      assert.deepEqual(new Set(entries.map((entry) => entry.id)), new Set(written));
      assert.ok(entries.every((entry) => (entry as DiaryEntry).note === canary));
    }
  });
