import { Check, Info } from 'lucide-react';
import { useState } from 'react';
import { type Axis, axes } from '#contract/axes.ts';
import { parseUrl, withScheme } from '#contract/parse-url.ts';
import { ownUrlPath, practiceIdIn } from '#contract/practices/path.ts';
import { isYoutubeLink, videoIdOf, videoOf } from '#contract/video.ts';
import { useServices } from '#web/app/services.ts';
import { Picture } from '#web/components/art/poster.tsx';
import { type FieldState, TextField } from '#web/components/form/field.tsx';
import { Choice } from '#web/components/form/radio-group.tsx';
import { Video } from '#web/components/media/video.tsx';
import { type ActivityValues, fieldLabels } from './activity-values.ts';
import styles from './video-field.module.css';

/** A field for the video's link. For a practice without a video, the link is the practice's own URL. */
export function VideoField({
  field,
  shown: { title, axis, image },
}: {
  field: FieldState;
  shown: ActivityValues;
}) {
  const { origin } = useServices().content.site;
  const ownUrl = origin + ownUrlPath;
  const withoutVideo =
    field.value === ownUrl || practiceIdIn(parseUrl(field.value)?.pathname ?? '') !== undefined;
  const [typed, setTyped] = useState(withoutVideo ? '' : field.value);
  const [ownBefore] = useState(withoutVideo ? field.value : ownUrl);
  return (
    <>
      {!withoutVideo && (
        <TextField
          {...field}
          label={fieldLabels.url}
          hint="Cole o endereço do YouTube, como aparece no navegador."
          type="url"
          inputMode="url"
          autoComplete="off"
          note={<VideoFound link={field.value} />}
        />
      )}
      <Choice
        type="checkbox"
        checked={withoutVideo}
        onChange={({ target }) => {
          if (target.checked) setTyped(field.value);
          field.onValue(target.checked ? ownBefore : typed);
        }}
      >
        Esta prática não tem vídeo
      </Choice>
      <VideoPreview link={field.value} title={title} axis={axis} image={image} />
    </>
  );
}

/**
 * Says, while the user types, whether a link has the form of a link to a video, and if not, why. It never
 * blocks a submit.
 */
function VideoFound({ link }: { link: string }) {
  if (link.trim() === '') return null;
  const id = videoIdOf(link);
  if (id === undefined) {
    return (
      <span className={styles.none}>
        <Info /> <span>{reasonFor(link)}</span>
      </span>
    );
  }
  return (
    <span className={styles.found}>
      <strong>
        <Check /> Link do YouTube reconhecido. Assista para conferir.
      </strong>
    </span>
  );
}

/** Shows a link's video as visitors see it. It sends no request to YouTube before the user presses play. */
function VideoPreview({
  link,
  title,
  axis,
  image,
}: {
  link: string;
  title: string;
  axis: string;
  /** The URL of the picture that the admin has chosen; empty when there is none. */
  image: string;
}) {
  const video = videoOf(link);
  if (video === undefined) return null;
  const { id } = video;
  const known: Axis = axes.find((one) => one === axis) ?? 'mind';
  return (
    <div className={styles.preview} data-axis={known}>
      {/* The key resets the player, so that another video starts with its poster. */}
      <Video
        key={id}
        video={video}
        title={title}
        poster={<Picture activity={{ id, axis: known, image }} />}
      />
    </div>
  );
}

function reasonFor(link: string) {
  if (!/^https?:\/\/\S+\.\S/i.test(withScheme(link.trim()))) return 'Ainda não é um link completo.';
  if (!isYoutubeLink(link))
    return 'Este link não é do YouTube. A prática mostra o texto e o link, sem vídeo.';
  return 'O link é do YouTube, mas falta nele o código do vídeo, de 11 caracteres.';
}
