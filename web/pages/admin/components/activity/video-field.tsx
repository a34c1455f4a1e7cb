import { useState } from 'react';
import { parseUrl } from '#contract/parse-url.ts';
import { ownUrlPath, practiceIdIn } from '#contract/practices/path.ts';
import { useServices } from '#web/app/services-context.ts';
import { type FieldState, TextField } from '#web/components/form/field.tsx';
import { Choice } from '../choice.tsx';
import { type ActivityValues, fieldLabels } from './activity-values.ts';
import { VideoFound, VideoPreview } from './video-found.tsx';

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
