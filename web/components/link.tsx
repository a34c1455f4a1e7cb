import type { ComponentProps, MouseEvent } from 'react';
import { useHref, useLinkClickHandler, useLocation, useNavigation } from 'react-router';

/** `to`: a path of this site. `state`: the state of the history entry. */
export type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & { to: string; state?: unknown };

/**
 * A link inside the site. It replaces React Router's link, because the prefetching code of that link would be
 * a tenth of all code that a visitor's browser loads.
 */
export function Link({ to, state, onClick, ...rest }: LinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { state });
  function click(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!event.defaultPrevented) follow(event);
  }
  return <a {...rest} href={useHref(to)} onClick={click} />;
}

/** True if a click opens the link in this tab. */
export const opensHere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/**
 * A menu link that is marked while it leads to the current page, or to the page that is loading.
 * @param end true if only this exact path counts, not the paths below it
 */
export function NavLink({ end = false, ...props }: LinkProps & { end?: boolean }) {
  const { pathname } = useLocation();
  const next = useNavigation().location?.pathname;
  const leadsTo = (path: string | undefined) =>
    path === props.to || (!end && path?.startsWith(`${props.to}/`) === true);
  return (
    <Link
      {...props}
      aria-current={leadsTo(pathname) ? 'page' : undefined}
      data-pending={leadsTo(next) || undefined}
    />
  );
}
