import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { type FileKind, isDeclaredAs, type SizeLimits, uploadFormats } from '#contract/storage.ts';
import { client } from '#web/app/client.ts';
import { heicTypes, isHeic } from './shrink-photo.ts';

const pictures = 'image/jpeg,image/png,image/webp';

/** The `accept` attribute of the file input, and what the file should be, in words. */
export const uploadKinds: Record<FileKind, { accept: string; noun: string }> = {
  image: { accept: `${pictures},image/avif,${heicTypes}`, noun: 'imagem' },
  'profile-picture': { accept: `${pictures},${heicTypes}`, noun: 'foto' },
  audio: { accept: 'audio/*,.mp3,.m4a,.m4b,.mp4,.aac,.ogg,.oga,.opus,.wav', noun: 'áudio' },
};

/** The hint of the field: allowed formats and maximum size. */
export const hintOf = (kind: FileKind, maxBytes: number) =>
  kind === 'profile-picture'
    ? `${uploadFormats[kind].names}. Uma foto grande é reduzida neste aparelho antes do envio.`
    : `${uploadFormats[kind].names}, até ${sizeInWords(maxBytes)}.`;

/** Returns the server's maximum size in bytes, or the default until the server has sent its maximum. */
export function useSizeLimit(kind: FileKind): number {
  const [sizeLimits, setSizeLimits] = useState<SizeLimits>(defaultLimits);
  useEffect(() => {
    let gone = false;
    const read = async () => {
      const known = await (await client.storage()).getSizeLimits();
      if (!gone) setSizeLimits(known);
    };
    // Ignore failures: the server also reports its maximum when it refuses a file.
    read().catch(() => {});
    return () => {
      gone = true;
    };
  }, []);
  return sizeLimits[kind];
}

const defaultLimits: SizeLimits = {
  image: limits.imageMaxBytes,
  audio: limits.audioMaxBytes,
  'profile-picture': limits.profilePictureMaxBytes,
};

const heic =
  'Esta foto está em HEIC, o formato do iPhone, que este navegador não abre. Exporte como JPEG, ou, no iPhone, mude em Ajustes, Câmera, Formatos para “Mais compatível”.';

/** Returns the reason why the user cannot upload `file`; an empty text if there is no reason. */
export async function refusalOf(file: File, kind: FileKind, maxBytes: number): Promise<string> {
  if (kind !== 'audio' && (await isHeic(file))) return heic;
  if (!isDeclaredAs(kind, file.type))
    return `Este arquivo não serve como ${uploadKinds[kind].noun} aqui. Escolha ${uploadFormats[kind].names}.`;
  if (file.size === 0) return 'Este arquivo está vazio. Escolha outro.';
  if (file.size > maxBytes)
    return `Este arquivo tem ${sizeInWords(file.size)}, e pode ter no máximo ${sizeInWords(maxBytes)}.`;
  return '';
}

/**
 * Formats a size: 62914560 bytes as `63 MB`, 5120 bytes as `6 kB`.
 * It rounds up, so that a file above the maximum never seems to be within it.
 */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${(Math.ceil(bytes / 100_000) / 10).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} MB`;
}
