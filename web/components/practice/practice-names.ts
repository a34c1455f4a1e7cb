import type { Activity } from '#contract/activity.ts';
import type { Axis } from '#contract/axes.ts';
import type { NightNeed } from '#contract/practices/night.ts';
import { videoIdOf } from '#contract/video.ts';

/** The names of the axes in the admin area. The specification names the four lists in English. */
export const axisNames: Record<Axis, string> = {
  mind: 'Mind · Mente',
  move: 'Move · Movimento',
  nutri: 'Nutri · Alimentação',
  family: 'Família',
  career: 'Carreira',
  fun: 'Lazer',
  values: 'Values · Valores',
};

/** The names of the axes for patients and visitors. */
export const publicAxisNames: Record<Axis, string> = {
  mind: 'Mente',
  move: 'Movimento',
  nutri: 'Alimentação',
  family: 'Família',
  career: 'Carreira',
  fun: 'Lazer',
  values: 'Valores',
};

/** What a visitor may need help with at night, in a visitor's own words. */
export const nightNames: Record<NightNeed, string> = {
  sleep: 'Não consigo dormir',
  thoughts: 'Cabeça acelerada',
  chest: 'Peito apertado',
};

type Media = Pick<Activity, 'url' | 'audio'>;

/** Returns the kind of a practice. A practice with both a video and an audio counts as a video. */
export const kindOf = ({ url, audio }: Media) => (videoIdOf(url) ? 'video' : audio ? 'audio' : 'text');

/** True if an activity has a generated poster: a video or an audio without a picture on this site. */
export const hasGeneratedPoster = (activity: Media & Pick<Activity, 'image'>) =>
  kindOf(activity) !== 'text' && !activity.image.startsWith('/');
