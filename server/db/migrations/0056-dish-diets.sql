-- Diets that a dish is made for; the other dishes of its course are not served to them.
alter table canteen_dish add column diets text[] not null default '{}'
  constraint canteen_dish_diets check (diets <@ array['no_pork', 'no_meat', 'vegetarian']);

-- Templates keep dishes as they are written.
update canteen_menu_template set days = (
  select jsonb_agg(
    (select coalesce(jsonb_agg(dish || '{"diets": []}'::jsonb order by place), '[]'::jsonb)
      from jsonb_array_elements(one.dishes) with ordinality as served (dish, place))
    order by one.place)
  from jsonb_array_elements(days) with ordinality as one (dishes, place))
where jsonb_array_length(days) > 0;
