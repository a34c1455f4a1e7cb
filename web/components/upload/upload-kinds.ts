import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { FileKind, SizeLimits } from '#contract/storage.ts';
import { client } from '#web/app/client.ts';

import { isHeic } from './shrink-photo.ts';

type Kind = {
  /** The `accept` attribute of the file input. */
  accept: string;
  types: RegExp;
  /** The allowed types, in words. */
  names: string;
  wrongType: string;
};

const pictures: Kind = {
  names: 'JPEG, PNG, WebP ou AVIF',
  accept: 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif',
  types: /^image\/(?:p?jpe?g|png|webp|avif)$/,
  wrongType: 'Este arquivo não serve como imagem aqui. Escolha JPEG, PNG, WebP ou AVIF.',
};

const photos: Kind = {
  names: 'JPEG, PNG ou WebP',
  accept: 'image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif',
  types: /^image\/(?:p?jpe?g|png|webp)$/,
  wrongType: 'Este arquivo não serve como foto aqui. Escolha JPEG, PNG ou WebP.',
};

/** The allowed types of each kind. The server also checks the content. */
export const uploadKinds: Record<FileKind, Kind> = {
  image: pictures,
  'profile-picture': photos,
  audio: {
    accept: 'audio/*,.mp3,.m4a,.aac,.ogg,.opus,.wav',
    types: /^(?:audio\/.+|application\/ogg)$/,
    names: 'MP3, M4A, AAC, OGG ou WAV',
    wrongType: 'Este arquivo não serve como áudio aqui. Escolha MP3, M4A, AAC, OGG ou WAV.',
  },
};

/** The hint of the field: allowed types and maximum size. */
export const hintOf = (kind: FileKind, maxBytes: number) =>
  kind === 'profile-picture'
    ? `${photos.names}. Uma foto grande é reduzida neste aparelho antes do envio.`
    : `${uploadKinds[kind].names}, até ${sizeInWords(maxBytes)}.`;

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

/** Returns the reason why the user cannot upload `file`; `undefined` if there is no reason. */
export function refusalOf(file: File, kind: FileKind, maxBytes: number): string | undefined {
  const { types, wrongType } = uploadKinds[kind];
  if (kind !== 'audio' && isHeic(file)) return heic;
  // `type` is empty if the browser does not know the file's type.
  if (file.type !== '' && !types.test(file.type)) return wrongType;
  if (file.size === 0) return 'Este arquivo está vazio. Escolha outro.';
  if (file.size > maxBytes)
    return `Este arquivo tem ${sizeInWords(file.size)}, e pode ter no máximo ${sizeInWords(maxBytes)}.`;
  return undefined;
}

const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/**
 * Formats a size: 62914560 bytes as `63 MB`, 5120 bytes as `6 kB`.
 * It rounds up, so that a file above the maximum never seems to be within it.
 */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${number.format(Math.ceil(bytes / 100_000) / 10)} MB`;
}
