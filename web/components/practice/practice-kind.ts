import type { Activity } from '#contract/activity.ts';
import { videoIdOf } from '#contract/video.ts';

type Media = Pick<Activity, 'url' | 'audio'>;

/** Returns the kind of a practice. A practice with both a video and an audio counts as a video. */
export const kindOf = ({ url, audio }: Media) => (videoIdOf(url) ? 'video' : audio ? 'audio' : 'text');

/** True if an activity has a generated poster: a video or an audio without a picture on this site. */
export const hasGeneratedPoster = (activity: Media & Pick<Activity, 'image'>) =>
  kindOf(activity) !== 'text' && !activity.image.startsWith('/');
