// A person's avatar: the picture where they have one, read apart, over their initials.
import { type ComponentProps, lazy, Suspense } from "react";
import { Avatar } from "#web/ui/person.tsx";

const Photo = lazy(async () => ({ default: (await import("./photo.tsx")).Photo }));

/** `avatar` is the address that the API gave, null without a picture. */
export const PersonAvatar = ({
  avatar,
  ...look
}: Omit<ComponentProps<typeof Avatar>, "photo"> & { avatar: string | null }) => (
  <Avatar
    {...look}
    photo={
      avatar && (
        <Suspense>
          <Photo address={avatar} />
        </Suspense>
      )
    }
  />
);
