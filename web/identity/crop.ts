// Which square of a picture is kept: a zoom, and where the square stands between the edges.

export interface Crop {
  /** 1 keeps the largest square. */
  zoom: number;
  /** From -1, the left or the top edge, to 1; 0 is the middle. */
  x: number;
  y: number;
}

export const middle: Crop = { zoom: 1, x: 0, y: 0 };
export const maxZoom = 4;

interface Size {
  width: number;
  height: number;
}

/** The square in points of the picture. */
export function squareOf({ width, height }: Size, { zoom, x, y }: Crop) {
  const side = Math.min(width, height) / zoom;
  return { side, left: ((width - side) * (x + 1)) / 2, top: ((height - side) * (y + 1)) / 2 };
}

const within = (value: number) => Math.min(1, Math.max(-1, value));

/** The crop after the picture was dragged; `moved` is in parts of the square's side. */
export function dragged(size: Size, crop: Crop, moved: { x: number; y: number }): Crop {
  const { side } = squareOf(size, crop);
  const step = (length: number, by: number) => {
    const free = length - side;
    return free > 0 ? (2 * by * side) / free : 0;
  };
  return {
    ...crop,
    x: within(crop.x - step(size.width, moved.x)),
    y: within(crop.y - step(size.height, moved.y)),
  };
}
