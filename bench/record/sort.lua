-- A program for `make bench-record`: sorts numbers, and joins texts, as often as the first argument says.
local rounds = tonumber(arg[1])
local seed = 42
for round = 1, rounds do
   local numbers, texts = {}, {}
   for at = 1, 2000 do
      seed = (seed * 1103515245 + 12345) % 2147483648
      numbers[at] = seed
   end
   table.sort(numbers)
   for at = 1, #numbers, 10 do
      texts[#texts + 1] = string.format("%d:%x", at, numbers[at])
   end
   assert(#table.concat(texts, ",") > 1000 and numbers[1] <= numbers[2])
end
