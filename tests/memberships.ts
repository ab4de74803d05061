// Membership requests for tests: the form filled as a person would, by HTTP, and the operator's commands.
import { expect } from "vitest";
import { membershipCommands } from "#server/memberships/operator.ts";
import type { Client, TestServer } from "./test-server.ts";
import { pdfFile } from "./pdf-file.ts";

export const path = "/api/memberships/devenir-partenaire";
/** A company that has no account. */
export const company = {
  siret: "73282932000074",
  name: "Crêperie  du Phare ",
  legalForm: "sarl",
  street: "4 quai du Port",
  postcode: "35400",
  town: "Port-Lagune",
  owesVat: true,
  category: "restaurant",
};
export const representative = {
  name: "Hugo Petit",
  function: "gérant",
  email: "hugo.petit@exemple.fr",
  phonenumber: "06 12 34 56 99",
};
/** In E.164. */
export const phone = "+33612345699";

/** Removes every request, with the company of the tests, so that each test begins with none. */
export async function clearMemberships({ deps, outbox }: TestServer): Promise<void> {
  await deps.pool.query(`delete from membership; delete from document; delete from limiter;
    delete from code; delete from notification; update service set closed_why = null;
    delete from pro_card where company_id in (select id from company where siren = '732829320');
    delete from partner where company_id in (select id from company where siren = '732829320');
    delete from company_member where company_id in (select id from company where siren = '732829320');
    delete from company where siren = '732829320'`);
  outbox.length = 0;
}

/** What a test does with requests on a server. */
export function membershipActs(server: TestServer) {
  const operator = (name: string, ...args: string[]) => {
    const command = membershipCommands.find((one) => one.name === `memberships ${name}`);
    if (!command) throw new Error(`no command ${name}`);
    return command.run(server.deps, args, "alice");
  };
  const upload = async (client: Client, mark: string): Promise<string> => {
    const type = { "content-type": "application/pdf" };
    return (await client.post(`/api/documents?name=${mark}.pdf`, pdfFile(mark), type)).body.id;
  };
  const read = async (client: Client) => (await client.get(path)).body.membership;
  const versionOf = async (client: Client) => (await read(client))?.version ?? 0;
  /** A call with the version of this moment. */
  const act = async (client: Client, what: string, more: object = {}) =>
    client.post(`${path}/${what}`, { version: await versionOf(client), ...more });

  /** A draft whose steps are all done but the sending. */
  async function fill(client: Client, more: Partial<typeof company> = {}): Promise<void> {
    expect((await act(client, "company", { ...company, ...more })).status).toBe(200);
    expect((await act(client, "representative", representative)).status).toBe(200);
    for (const kind of ["registration", "identity"]) {
      const document = await upload(client, `${kind}-${client.token.slice(-8)}`);
      expect((await client.post(`${path}/documents`, { kind, document })).status).toBe(200);
    }
    expect((await prove(client)).status).toBe(200);
  }
  async function prove(client: Client) {
    const refusal = await act(client, "code");
    expect(refusal.body.code).toBe("code_required");
    const { challenge, sentTo } = refusal.body.details;
    return act(client, "code", { challenge, code: server.lastCode(sentTo) });
  }
  async function submitted(client: Client): Promise<number> {
    await fill(client);
    const sent = await act(client, "submit");
    expect(sent.status).toBe(200);
    return sent.body.membership.number;
  }
  return { operator, upload, read, versionOf, act, fill, prove, submitted };
}
