// The demo's help on the login page: whom one can try the portal as, and where its messages are.
import { groupDigits } from "#contract/cardnumber.ts";
import { demoCards, demoMessagesPath, demoPassword } from "#contract/demo/rows.ts";

/** Fills the place that the page keeps for it. A press on a card fills the form. */
export function showDemo(): void {
  const place = document.getElementById("demo");
  if (!place) return;
  const title = document.createElement("h2");
  title.textContent = "Démonstration";
  const lead = document.createElement("p");
  lead.textContent = `Choisissez une carte ; le mot de passe est ${demoPassword}. `;
  const messages = document.createElement("a");
  messages.href = demoMessagesPath;
  messages.textContent = "Messages gardés";
  lead.append(messages);
  const list = document.createElement("ul");
  list.append(
    ...demoCards.map(({ cardnumber, who }) => {
      const item = document.createElement("li");
      const pick = document.createElement("button");
      pick.type = "button";
      pick.textContent = `${groupDigits(String(cardnumber))} · ${who}`;
      pick.addEventListener("click", () => fill(cardnumber));
      item.append(pick);
      return item;
    }),
  );
  place.append(title, lead, list);
  place.hidden = false;
}

function fill(cardnumber: number): void {
  write("number", String(cardnumber));
  write("password", demoPassword);
  document.getElementById("send")?.focus();
}

function write(id: string, value: string): void {
  const input = document.getElementById(id) as HTMLInputElement;
  input.value = value;
  input.dispatchEvent(new Event("input"));
}
