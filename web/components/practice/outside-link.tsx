import type { Activity } from '#contract/activity.ts';
import { parseUrl } from '#contract/parse-url.ts';
import { isOwnUrl } from '#contract/practices/path.ts';
import { videoOf, videoWatchUrl } from '#contract/video.ts';

import { ArrowUpRight } from './practice-icons.tsx';

/** A link from a practice to its video or page on another site. Without such a page, it shows nothing. */
export function OutsideLink({
  activity,
  className,
}: {
  activity: Pick<Activity, 'id' | 'url' | 'title'>;
  className: string | undefined;
}) {
  const { url, title } = activity;
  if (isOwnUrl(activity)) return null;
  const video = videoOf(url);
  return (
    <a className={className} href={video ? videoWatchUrl(video) : url} target="_blank" rel="noopener">
      <span>
        <span>{video ? 'Assistir no YouTube' : `Abrir em ${hostName(url)}`}</span>
        <span className="visually-hidden">{`: ${title} (abre em outra aba)`}</span>
      </span>
      <ArrowUpRight />
    </a>
  );
}

/** The host of a link, as people say it: `https://www.gov.br/saude` becomes `gov.br`. */
export const hostName = (link: string) => (parseUrl(link)?.hostname ?? '').replace(/^www\./, '');
