import type { Identity } from '#contract/site/identity.ts';
import { professionOf } from '#contract/site/registrations.ts';

/** Returns the web app manifest, https://www.w3.org/TR/appmanifest/, for a phone's home screen. */
export function webManifest(identity: Identity) {
  return {
    name: `${identity.doctorName}, ${professionOf(identity).toLowerCase()}`,
    short_name: identity.shortName,
    lang: 'pt-BR',
    start_url: '/',
    display: 'browser',
    background_color: '#faf6ee',
    theme_color: '#faf6ee',
    icons: [192, 512].map((side) => ({
      src: `/icon-${side}.png`,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  };
}
