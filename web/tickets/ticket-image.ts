// A ticket as a picture for a phone's gallery, drawn on a canvas: nothing is fetched, so the content
// security policy allows it.
import { encodeQR } from "qr";
import { inkColours, motifOf } from "#contract/motif.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import type { Download } from "#web/app/transport/api.ts";
import { whenOf } from "./session-dates.ts";

const width = 1080;
const height = 1720;
const edge = 84;
const face = '"Figtree", system-ui, sans-serif';

/** The picture of a ticket as a PNG file. */
export async function ticketImage(ticket: Ticket): Promise<Download> {
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen || ticket.token === null) throw new Error("no picture");
  drawHead(pen, ticket.cardnumber);
  drawCode(pen, ticket.token);
  drawWords(pen, ticket);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("no picture");
  return { blob, filename: `billet-${ticket.reference.toLowerCase()}.png` };
}

function drawHead(pen: CanvasRenderingContext2D, cardnumber: number): void {
  const motif = motifOf(cardnumber, 7);
  pen.fillStyle = "#fffdf8";
  pen.fillRect(0, 0, width, height);
  const { from, to, thread } = inkColours[motif.ink];
  const ground = pen.createLinearGradient(0, 0, width, 300);
  ground.addColorStop(0.12, from);
  ground.addColorStop(0.92, to);
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, 300);
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, width, 300);
  pen.clip();
  pen.translate(0, -180);
  pen.scale(width / motif.width, width / motif.width);
  pen.globalAlpha = 0.42;
  pen.strokeStyle = thread;
  pen.lineWidth = 1.6;
  for (const path of [...motif.ribbon, ...motif.rosette]) pen.stroke(new Path2D(path));
  pen.restore();
  pen.fillStyle = "#fdf6e9";
  pen.font = `600 56px ${face}`;
  pen.fillText("Ma carte", edge, 110);
}

function drawCode(pen: CanvasRenderingContext2D, token: string): void {
  const lines = encodeQR(token, "raw", { ecc: "medium", border: 2 });
  const side = 760;
  const dot = side / lines.length;
  const left = (width - side) / 2;
  pen.fillStyle = "#000000";
  for (const [y, line] of lines.entries()) {
    for (const [x, dark] of line.entries()) {
      if (dark) pen.fillRect(left + x * dot, 340 + y * dot, dot + 0.5, dot + 0.5);
    }
  }
}

function drawWords(pen: CanvasRenderingContext2D, ticket: Ticket): void {
  let y = 1180;
  const write = (text: string, font: string, colour: string, step: number) => {
    pen.font = `${font} ${face}`;
    pen.fillStyle = colour;
    for (const line of linesOf(pen, text)) {
      pen.fillText(line, edge, y);
      y += step;
    }
  };
  write(ticket.title, "700 64px", "#0a2e38", 74);
  write(whenOf(ticket.startsAt), "600 44px", "#0a2e38", 64);
  write(`${ticket.venue}, ${ticket.address}`, "400 40px", "#45606a", 56);
  write(`${ticket.category}, ${ticket.holder}`, "400 40px", "#45606a", 56);
  write(`Référence ${ticket.reference}`, "600 40px", "#0a2e38", 56);
}

/** A text cut at spaces to fit the width, in at most two lines. */
function linesOf(pen: CanvasRenderingContext2D, text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= width - 2 * edge) lines[lines.length - 1] = longer;
    else if (lines.length < 2) lines.push(word);
    else return [lines[0] ?? "", `${lines[1]}…`];
  }
  return lines;
}
