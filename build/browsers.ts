import { browserslistToTargets } from 'lightningcss';

/** The oldest browsers that the site supports, for Vite. Safari's number is also the number of iOS. */
export const oldestBrowsers = ['chrome109', 'edge109', 'firefox115', 'safari16.4'];

/** The same for Lightning CSS. */
export const styleTargets = browserslistToTargets(oldestBrowsers.map((name) => name.replace(/\d/, ' $&')));
