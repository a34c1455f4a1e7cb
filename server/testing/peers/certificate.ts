import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A self-signed certificate for localhost, made by the `openssl` program. */
export type Certificate = {
  key: Buffer;
  cert: Buffer;
  /** The certificate's file, for programs that must trust it. */
  file: string;
  remove(): void;
};

export async function makeCertificate(): Promise<Certificate> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acolhe-certificate-'));
  const [key, file] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', file],
  ]);
  return {
    key: readFileSync(key),
    cert: readFileSync(file),
    file,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
