import type { SiteContent } from '#contract/site/content.ts';
import { about } from './about.ts';
import { home } from './home.ts';
import { identity } from './identity.ts';
import { member } from './member.ts';
import { practices } from './practices.ts';
import { privacy } from './privacy.ts';
import { questions } from './questions.ts';

/** The sample content. Each section is in its own file. */
export const texts: SiteContent = { identity, home, about, member, practices, privacy, questions };
