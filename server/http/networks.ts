import { isIPv6 } from 'node:net';

/**
 * All networks of a site together may use this many times what one of them may use, of anything that is
 * limited by network.
 */
export const networksOfSite = 4;

/**
 * Returns the network under which limits count an IP address: an IPv4 address itself, or the /64 network of
 * an IPv6 address, because a provider's customer can use every IPv6 address of a /64.
 */
export function networkOf(address: string): string {
  // Fastify gives `undefined`, against its types, after the client has reset the connection.
  return isIPv6(address) && !address.startsWith('::ffff:')
    ? `${expand(address).slice(0, 4).join(':')}::/64`
    : address;
}

/**
 * Returns the /48 network of a /64 network. A provider gives one end site, such as an organization, a /48 of
 * IPv6 addresses, with 65,536 networks of /64.
 * @returns undefined for an IPv4 address
 */
export function siteOf(network: string): string | undefined {
  const [, site] = /^((?:[\da-f]+:){3})[\da-f]+::\/64$/.exec(network) ?? [];
  return site === undefined ? undefined : `${site}:/48`;
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const [start, end] = [head, tail ?? ''].map((half) => half.split(':').filter(Boolean)) as [
    string[],
    string[],
  ];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''));
}
