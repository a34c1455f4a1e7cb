/** The pages for visitors. They are in the sitemap. */
export const visitorPages = ['/', '/about', '/practices', '/privacidade'];

/** All pages with a path of their own that the server renders: also the forms of accounts. */
export const renderedPages = [...visitorPages, '/login', '/login/recover', '/register'];
