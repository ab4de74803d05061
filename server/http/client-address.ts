// The address of the client, through the proxies that the operator trusts and no further. The client writes
// the beginning of X-Forwarded-For: it is read from the right, where our own proxy writes, and only IP
// addresses count.
import { BlockList, isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** Whether the machine at `address` is a trusted proxy; `hop` is 0 for the peer of the socket. */
export type TrustedProxies = (address: string, hop: number) => boolean;

const maxChainLength = 10;

export const trustNobody: TrustedProxies = () => false;

/**
 * Parses TRUST_PROXY: a number of proxies (0 to 10), or addresses and CIDR ranges between commas. Null when
 * it is neither.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  const hops = { 0: 0, non: 0, no: 0, off: 0, false: 0 }[text.toLowerCase()];
  if (hops === 0) return trustNobody;
  if (/^\d{1,2}$/.test(text)) {
    const count = Number(text);
    return count <= maxChainLength ? (_address, hop) => hop < count : null;
  }
  const list = new BlockList();
  for (const range of text.split(",")) if (!addRange(list, range.trim())) return null;
  return (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function addRange(list: BlockList, range: string): boolean {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  const longest = version === 6 ? 128 : 32;
  const bits = prefix === undefined ? longest : Number(prefix);
  // A range of everything would trust whatever a client writes.
  if (bits < 1 || bits > longest) return false;
  list.addSubnet(address, bits, version === 6 ? "ipv6" : "ipv4");
  return true;
}

/**
 * The address that a request comes from: always an IP address, or "" when the socket has none. An invalid
 * entry ends the reading: the address found so far is the result.
 */
export function clientAddress(request: FastifyRequest, trusts: TrustedProxies): string {
  let address = plainAddress(request.socket.remoteAddress ?? "") ?? "";
  const forwardedFor = request.headers["x-forwarded-for"];
  if (forwardedFor === undefined || address === "") return address;
  const entries = String(forwardedFor).split(",").slice(-maxChainLength).toReversed();
  for (const [hop, entry] of entries.entries()) {
    if (!trusts(address, hop)) break;
    const next = plainAddress(entry.trim());
    if (next === null) break;
    address = next;
  }
  return address;
}

/** `1.2.3.4:567`, `[::1]:567` and `::ffff:1.2.3.4` reduced to the address; null: no address. */
function plainAddress(entry: string): string | null {
  if (entry.length > 60) return null;
  const bare = entry
    .replace(/^\[(.+)\](?::\d{1,5})?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  // A zone (`fe80::1%eth0`) may hold any text and means nothing on another machine.
  return isIP(bare) === 0 || bare.includes("%") ? null : bare.toLowerCase();
}
