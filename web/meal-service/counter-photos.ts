// Photos of those who eat today, small, for a service without network: sealed together until the day is over.
// Their total size has a bound; beyond it people stand with their initials.
import { api } from "#contract/api.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import { queryClient } from "#web/app/transport/answers.ts";
import { bearerOf } from "#web/app/transport/api.ts";
import { counterList } from "#web/app/shared/counter-list.ts";
import { sealed } from "#web/app/transport/session.ts";

const name = `${counterList}-photos`;
const side = 96;
/** Characters of all photos together. */
const maxCharacters = 600_000;
/** How many are fetched before they are sealed again. */
const batch = 20;

/** Address → picture as a `data:` address. */
type Photos = Record<string, string>;
interface StoredPhotos {
  day: string;
  photos: Photos;
}

let stored: StoredPhotos = { day: "", photos: {} };
let keeping = false;

/** Shows the photos that this device stored for today. */
export async function openStoredPhotos(): Promise<void> {
  const found = (await sealed.get(name, name)) as StoredPhotos | null;
  if (found?.day !== parisDay(new Date())) return;
  stored = found;
  for (const [address, picture] of Object.entries(stored.photos)) show(address, picture);
}

// Where the screen looks for the photo of an address (web/app/shared/photo.tsx).
const show = (address: string, picture: string) =>
  queryClient.setQueryData(["photo", address], (known: unknown) => known ?? picture);

/** Fetches the photos of a fresh list that are not here yet, one after the other, orders of today first. */
export async function keepPhotos(list: DayList): Promise<void> {
  if (keeping) return;
  keeping = true;
  try {
    await fetchMissing(list);
  } catch {
    // Without network or space the counter shows initials.
  } finally {
    keeping = false;
  }
}

async function fetchMissing({ day, people }: DayList): Promise<void> {
  const addresses = people
    .toSorted((a, b) => Number(b.order !== null) - Number(a.order !== null))
    .flatMap(({ photo }) => photo ?? []);
  const known = stored.day === day ? stored.photos : {};
  const still = Object.entries(known).filter(([address]) => addresses.includes(address));
  stored = { day, photos: Object.fromEntries(still) };
  let room = maxCharacters - still.reduce((sum, [, picture]) => sum + picture.length, 0);
  let fresh = still.length === Object.keys(known).length ? 0 : 1;
  for (const address of addresses) {
    if (stored.photos[address]) continue;
    const picture = await fetchSmall(address);
    if (!picture) continue;
    room -= picture.length;
    if (room < 0) break;
    stored.photos[address] = picture;
    show(address, picture);
    if (++fresh % batch === 0) await seal();
  }
  if (fresh > 0) await seal();
}

const seal = () => sealed.put(name, name, stored, startOfDay(addDays(stored.day, 1)).getTime());

/** A photo at the size at which the counter shows it; null where it cannot be read. */
async function fetchSmall(address: string): Promise<string | null> {
  const answer = await fetch(address, { headers: bearerOf(api.canteen.counterPhoto) });
  if (!answer.ok) return null;
  const image = await createImageBitmap(await answer.blob());
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const shortest = Math.min(image.width, image.height);
  const [left, top] = [(image.width - shortest) / 2, (image.height - shortest) / 2];
  canvas.getContext("2d")?.drawImage(image, left, top, shortest, shortest, 0, 0, side, side);
  image.close();
  return canvas.toDataURL("image/jpeg", 0.7);
}
