import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { kindOfFile } from '#contract/storage.ts';
import { expect } from './journey.ts';

export type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

/** A unique picture that compresses badly. `side`, its width in pixels, determines its size in bytes. */
export async function pictureOf(side: number, name = 'folhas.jpg'): Promise<ChosenFile> {
  const raw = { width: side, height: Math.round(side / 1.6), channels: 3 } as const;
  const noise = randomBytes(raw.width * raw.height * raw.channels);
  const buffer = await sharp(noise, { raw }).jpeg({ quality: 90 }).toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

/** A file that begins with the header of an MP3 frame, followed by random bytes. */
export function audioOf(bytes: number, name = 'respirar.mp3'): ChosenFile {
  const buffer = randomBytes(bytes);
  buffer.set([0xff, 0xfb, 0x90, 0x64]);
  return { name, mimeType: 'audio/mpeg', buffer };
}

/** The upload field with this label. */
export const uploadField = (page: Page, label: 'Imagem' | 'Áudio' | 'Foto') =>
  page.getByRole('group', { name: new RegExp(`^${label}(?: \\(opcional\\))?$`) });

export const chooserOf = (page: Page, label: 'Imagem' | 'Áudio' | 'Foto') =>
  uploadField(page, label).locator('input[type="file"]');

/** Lets the first piece of an upload arrive; the next gets no response. */
export async function holdSecondPiece(page: Page) {
  let pieces = 0;
  await page.route('**/api/storage/resumable/*', async (route) => {
    pieces += Number(route.request().method() === 'PATCH');
    if (pieces < 2) await route.continue();
  });
}

/** Limits the page's upload speed. `cut` takes the page offline, `mend` brings it back online. */
export async function openLine(page: Page, bytesPerSecond: number) {
  const session = await page.context().newCDPSession(page);
  const set = async (offline: boolean): Promise<void> => {
    await session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  };
  await set(false);
  return { cut: () => set(true), mend: () => set(false) };
}

/** The progress of an upload on screen, in percent. */
export async function percentOf(page: Page, label: 'Imagem' | 'Áudio' | 'Foto'): Promise<number> {
  const value = await uploadField(page, label).getByRole('progressbar').getAttribute('value');
  return Number(value);
}

export async function reaches(page: Page, label: 'Imagem' | 'Áudio' | 'Foto', percent: number) {
  await expect
    .poll(() => percentOf(page, label), { timeout: 60_000, intervals: [20] })
    .toBeGreaterThanOrEqual(percent);
}

/** Returns the storage path in a file's URL. Checks that the path is valid. */
export function pathIn(url: string): string {
  const path = new URL(url, 'http://localhost').pathname.replace('/files/', '');
  expect(kindOfFile(path), path).toBeDefined();
  return path;
}
