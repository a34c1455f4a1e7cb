import { startTransition, useEffect, useRef, useState } from 'react';
import type { SiteContent } from '#contract/site/content.ts';
import { client } from '#web/app/client.ts';
import { type EditorMessage, isFrom, type PreviewMessage } from '#web/app/preview/messages.ts';
import { Button } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import styles from './preview-frame.module.css';

/** The widths at which the preview lays out the page, in CSS pixels. */
const widths = { phone: 390, desktop: 1280 };
type Width = keyof typeof widths;
const widthNames: Record<Width, string> = { phone: 'Celular', desktop: 'Computador' };

/**
 * The interval between renewals of the preview's link, in milliseconds. A link is valid for 30 minutes, so
 * one renewal may fail.
 */
const renewMs = 14 * 60_000;

/** The delay between a change and the update of the preview, in milliseconds. */
const quietMs = 120;

type PreviewProps = {
  /** The page that shows the section. */
  page: string;
  /** All sections as they would be published, with what the admin has typed. */
  content: SiteContent;
  /** The words of the field that the admin edits. The preview scrolls to them. */
  words: string;
};

/** Shows the real page in a frame, and updates it while the admin types. */
export function PreviewFrame(props: PreviewProps) {
  const create = () => deferred(client.site.createPreview());
  const [link, setLink] = useState(create);
  useEffect(() => {
    const renew = async () => {
      const next = await client.site.createPreview();
      startTransition(() => setLink(Promise.resolve(next)));
    };
    const timer = setInterval(() => void renew().catch(() => {}), renewMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <Deferred value={link} skeleton={<SkeletonBar width="full" />} retry={() => setLink(create())}>
      {({ path }) => <Frame {...props} address={path.replace(/\/$/, '') + props.page} />}
    </Deferred>
  );
}

function Frame({ address, content, words }: PreviewProps & { address: string }) {
  const [width, setWidth] = useState<Width>('phone');
  const { box, scale, height } = useScale(widths[width]);
  const frame = useTypedContent(content, words);
  return (
    <div className={styles.preview}>
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons need no fieldset. */}
      <div className={styles.widths} role="group" aria-label="Largura da prévia">
        {(Object.keys(widths) as Width[]).map((name) => (
          <Button
            key={name}
            size="small"
            variant="quiet"
            aria-pressed={width === name}
            className={classNames(styles.width, width === name && styles.chosen)}
            onClick={() => setWidth(name)}
          >
            {widthNames[name]}
          </Button>
        ))}
      </div>
      <div ref={box} className={styles.box} data-width={width}>
        <iframe
          ref={frame}
          className={styles.frame}
          title="Como a página ficará"
          src={address}
          style={{ inlineSize: widths[width], blockSize: height / scale, scale: String(scale) }}
        />
      </div>
    </div>
  );
}

/** Computes the scale at which a page of this width fits into the box. */
function useScale(width: number) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, scale: Math.min(1, size.width / width) || 1, height: size.height };
}

/** Sends the content to the frame whenever the content changes. @returns the frame's ref */
function useTypedContent(content: SiteContent, words: string) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(0);

  useEffect(() => {
    const receive = (event: MessageEvent<PreviewMessage>) => {
      if (isFrom(event, frame.current?.contentWindow) && event.data.kind === 'acolhe:preview-ready')
        setReady((count) => count + 1);
    };
    window.addEventListener('message', receive);
    return () => window.removeEventListener('message', receive);
  }, []);

  useEffect(() => {
    if (ready === 0) return;
    const timer = setTimeout(() => {
      const message: EditorMessage = { kind: 'acolhe:typed', sections: content, words };
      frame.current?.contentWindow?.postMessage(message, window.location.origin);
    }, quietMs);
    return () => clearTimeout(timer);
  }, [ready, content, words]);
  return frame;
}
