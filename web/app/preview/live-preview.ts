import { flushSync } from 'react-dom';
import type { Services } from '../services.ts';
import { createSiteContent } from '../site-content.ts';
import { type EditorMessage, isFrom, type PreviewMessage } from './messages.ts';
import { scrollToWords } from './scroll-to-words.ts';

/**
 * Shows what the admin types, if the page is in the editor's frame. Does nothing outside a frame.
 * @param show renders the page with other services
 */
export function startLivePreview(services: Services, show: (services: Services) => void) {
  const editor = window.parent;
  if (editor === window) return;
  // Simulate the first interaction, because some parts of the page load their code only after it.
  window.dispatchEvent(new Event('scroll'));
  window.addEventListener('message', (event: MessageEvent<EditorMessage>) => {
    if (!isFrom(event, editor) || event.data.kind !== 'acolhe:typed') return;
    const { sections, words } = event.data;
    const content = createSiteContent(services.content.site, sections);
    // Render synchronously, so that the page already contains `words` when `scrollToWords` looks for them.
    flushSync(() => show({ ...services, content }));
    if (words) scrollToWords(words);
  });
  const ready: PreviewMessage = { kind: 'acolhe:preview-ready' };
  editor.postMessage(ready, window.location.origin);
}
