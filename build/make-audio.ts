/**
 * Makes clinic/audio/tres-minutos.mp3, the track of the home page: three minutes of soft chords that swell
 * for four seconds and fade for six, the pace of a slow breath. Run `node build/make-audio.ts` after a change
 * of the music. The output is deterministic.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mp3Encoder } from '@breezystack/lamejs';

const sampleRate = 22_050;
const kilobitsPerSecond = 32;
const seconds = 180;
const breath = { in: 4, out: 6 };
const breathSeconds = breath.in + breath.out;
const fade = { in: 4, out: 9 };
/** The level of the loudest sample; 1 is full scale. It is below 1, because the encoder can raise it. */
const peak = 0.7;

/** Notes as MIDI numbers, low to high. Each chord lasts three breaths. */
const chords = [
  [50, 57, 62, 64, 66],
  [47, 54, 57, 62, 66],
  [43, 50, 55, 59, 66],
  [45, 52, 57, 59, 64],
  [43, 50, 57, 59, 62],
  [50, 57, 62, 66, 69],
];
const chordSeconds = seconds / chords.length;
/** Length of the crossfade between two chords, around the quietest moment between two breaths. */
const blendSeconds = 2;

const frequencyOf = (note: number) => 440 * 2 ** ((note - 69) / 12);

/** Smooth step from 0 to 1. */
const smooth = (part: number) => (1 - Math.cos(Math.PI * Math.min(1, Math.max(0, part)))) / 2;

/** How full the lungs are at a moment: 0 is empty, 1 is full. */
function fullness(time: number) {
  const moment = time % breathSeconds;
  return moment < breath.in ? smooth(moment / breath.in) : 1 - smooth((moment - breath.in) / breath.out);
}

/** Pseudo-random numbers from -1 to 1 with a fixed seed (mulberry32). */
function createNoise(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/**
 * Adds a chord. Each note has a fainter, slightly detuned copy; the sound gets brighter as the breath fills.
 */
function addChord(track: Float64Array, notes: number[], startsAt: number) {
  const from = Math.max(0, startsAt - blendSeconds / 2);
  const to = Math.min(seconds, startsAt + chordSeconds + blendSeconds / 2);
  for (const [place, note] of notes.entries()) {
    const frequency = frequencyOf(note);
    const loudness = 1 / (1 + frequency / 500);
    for (let index = Math.round(from * sampleRate); index < to * sampleRate; index += 1) {
      const time = index / sampleRate;
      const level = fullness(time);
      const blend =
        smooth((time - from) / blendSeconds) *
        (to === seconds ? 1 : 1 - smooth((time - to + blendSeconds) / blendSeconds));
      const wave = (shift: number) => {
        const phase = 2 * Math.PI * (frequency + shift) * time + place;
        return Math.sin(phase) + level * (0.3 * Math.sin(2 * phase) + 0.08 * Math.sin(3 * phase));
      };
      // Each note is detuned by a different amount, so that the beats of the notes do not coincide.
      const sound = wave(0) + 0.35 * wave(0.13 + 0.07 * place);
      track[index] = (track[index] ?? 0) + sound * loudness * blend * (0.14 + 0.86 * level);
    }
  }
}

/** Adds a soft bell: high for "breathe in", low for "breathe out". */
function addBell(track: Float64Array, frequency: number, startsAt: number, loudness: number) {
  const ringSeconds = 4;
  const start = Math.round(startsAt * sampleRate);
  const end = Math.min(track.length, start + ringSeconds * sampleRate);
  for (let index = start; index < end; index += 1) {
    const time = (index - start) / sampleRate;
    const shape = smooth(time / 0.06) * Math.exp(-time / 0.9) * (1 - smooth((time - 3) / 1));
    track[index] = (track[index] ?? 0) + Math.sin(2 * Math.PI * frequency * time) * shape * loudness;
  }
}

/** Adds the sound of air: noise through a low-pass filter that opens as the breath fills. */
function addAir(track: Float64Array) {
  const noise = createNoise(7);
  let [first, second] = [0, 0];
  for (let index = 0; index < track.length; index += 1) {
    const level = fullness(index / sampleRate);
    const pass = 1 - Math.exp((-2 * Math.PI * (250 + 650 * level)) / sampleRate);
    first += pass * (noise() - first);
    second += pass * (first - second);
    track[index] = (track[index] ?? 0) + second * level * 0.25;
  }
}

function makeTrack(): Int16Array {
  const track = new Float64Array(seconds * sampleRate);
  for (const [place, notes] of chords.entries()) addChord(track, notes, place * chordSeconds);
  for (let start = 0; start < seconds; start += breathSeconds) {
    addBell(track, frequencyOf(74), start, 0.16);
    addBell(track, frequencyOf(69), start + breath.in, 0.2);
  }
  addAir(track);

  for (const [index, sample] of track.entries()) {
    const time = index / sampleRate;
    track[index] = sample * smooth(time / fade.in) * smooth((seconds - time) / fade.out);
  }
  const loudest = track.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return Int16Array.from(track, (sample) => Math.round((sample / loudest) * peak * 32_767));
}

function encode(track: Int16Array): Buffer {
  const encoder = new Mp3Encoder(1, sampleRate, kilobitsPerSecond);
  // The types say Uint8Array, but the value is an Int8Array. Buffer.from() keeps the bytes.
  return Buffer.concat([encoder.encodeBuffer(track), encoder.flush()].map((part) => Buffer.from(part)));
}

const file = join(import.meta.dirname, '..', 'clinic', 'audio', 'tres-minutos.mp3');
const mp3 = encode(makeTrack());
writeFileSync(file, mp3);
console.log(`${file}: ${Math.round(mp3.length / 1000)} kB`);
