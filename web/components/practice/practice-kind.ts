import type { Activity } from '#contract/activity.ts';
import { videoIdOf } from '#contract/video.ts';

type Media = Pick<Activity, 'url' | 'audio'>;

/** Texts without a picture have no poster. */
export const kindOf = ({ url, audio }: Media) => (videoIdOf(url) ? 'video' : audio ? 'audio' : 'text');

/** Whether an activity has a generated poster. */
export const hasGeneratedPoster = (activity: Media & Pick<Activity, 'image'>) =>
  kindOf(activity) !== 'text' && !activity.image.startsWith('/');
