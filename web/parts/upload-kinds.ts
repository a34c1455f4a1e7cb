import { limits } from '#contract/limits.ts';
import type { FileKind } from '#contract/storage.ts';
import { sizeInWords } from './file-size.ts';

type Kind = {
  /** For the file chooser. */
  accept: string;
  types: RegExp;
  maxBytes: number;
  /** What may be chosen, as a sentence. */
  hint: string;
  wrongType: string;
};

const pictures = {
  accept: 'image/jpeg,image/png,image/webp,image/avif',
  types: /^image\/(?:p?jpe?g|png|webp|avif)$/,
  wrongType: 'Este arquivo não é uma imagem que possa ser usada aqui. Escolha JPEG, PNG, WebP ou AVIF.',
};

const hintOf = (types: string, maxBytes: number) => `${types}, até ${sizeInWords(maxBytes)}.`;

/** What each kind of file may be. The server looks closer, at the content. */
export const uploadKinds: Record<FileKind, Kind> = {
  image: {
    ...pictures,
    maxBytes: limits.imageMaxBytes,
    hint: hintOf('JPEG, PNG, WebP ou AVIF', limits.imageMaxBytes),
  },
  'profile-picture': {
    ...pictures,
    maxBytes: limits.profilePictureMaxBytes,
    hint: hintOf('JPEG, PNG, WebP ou AVIF', limits.profilePictureMaxBytes),
  },
  audio: {
    accept: 'audio/*,.mp3,.m4a,.aac,.ogg,.opus,.wav',
    types: /^(?:audio\/.+|application\/ogg)$/,
    maxBytes: limits.audioMaxBytes,
    hint: hintOf('MP3, M4A, AAC, OGG ou WAV', limits.audioMaxBytes),
    wrongType: 'Este arquivo não é um áudio que possa ser usado aqui. Escolha MP3, M4A, AAC, OGG ou WAV.',
  },
};

/** Why `file` cannot be sent, seen before anything is. */
export function refusalOf(file: File, kind: FileKind): string | undefined {
  const { types, maxBytes, wrongType } = uploadKinds[kind];
  // Systems that do not know a type say nothing.
  if (file.type !== '' && !types.test(file.type)) return wrongType;
  if (file.size === 0) return 'Este arquivo está vazio. Escolha outro.';
  if (file.size > maxBytes)
    return `Este arquivo tem ${sizeInWords(file.size)}, e pode ter no máximo ${sizeInWords(maxBytes)}.`;
  return undefined;
}
