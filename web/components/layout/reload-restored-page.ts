let isWatching = false;

/**
 * Reloads this page if the browser restores it from its back/forward cache, because another user may use the
 * device by then. The page is hidden when the user leaves it, so that the restored page never appears. Call
 * this when a user is signed in; further calls change nothing.
 */
export function reloadRestoredPage() {
  if (isWatching) return;
  isWatching = true;
  const page = document.documentElement;
  window.addEventListener('pagehide', ({ persisted }) => {
    page.hidden = persisted;
  });
  window.addEventListener('pageshow', () => {
    if (page.hidden) window.location.reload();
  });
}
